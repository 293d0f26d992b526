import type { FastifyRequest } from 'fastify';
import { callerOf } from '../access/guard.ts';
import { guess } from '../access/guesses.ts';
import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../http/errors.ts';
import { verifyPassword } from './passwords.ts';
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
  const isRight = await guess(context.db, guessSubject(user.email), request.ip, () =>
    verifyPassword(password, user.password_hash),
  );
  if (!isRight) throw invalid({ current_password: ['The current password is wrong.'] });
  return user;
}

/** What wrong guesses of a password count for: the address that was typed, whether it has an account or not. */
export function guessSubject(email: string): string {
  return `account:${email.trim().toLowerCase()}`;
}
