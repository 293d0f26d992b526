import type { FastifyRequest } from 'fastify';
import { callerOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../http/errors.ts';
import { guessPassword } from './guess-password.ts';
import { findUserWithPassword, type User } from './queries.ts';

/**
 * The signed-in person, who has shown the password once more: a browser left open is not enough for what follows.
 * @throws HttpError 422 on `current_password`, 429 while the address has to wait
 */
export async function requirePassword(
  context: Context,
  request: FastifyRequest,
  password: string,
): Promise<User> {
  const user = await findUserWithPassword(context.db, callerOf(request).userId);
  if (!user) throw unauthenticated();
  const isRight = await guessPassword(context, request, user.email, password, user.password_hash);
  if (!isRight) throw invalid({ current_password: ['The current password is wrong.'] });
  return user;
}
