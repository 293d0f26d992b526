import type { FastifyRequest } from 'fastify';
import { callerOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../http/errors.ts';
import { guessPassword } from './guess-password.ts';
import { findUserWithPassword, type UserWithPassword } from './queries.ts';
import { isNewSession } from './session-queries.ts';

/** Time to find the screen and to type. */
const NEW_SESSION_MINUTES = 10;

/**
 * The signed-in person, after their password was checked again: a browser left open must not be enough.
 * @throws HttpError 422 on `current_password`, 429 while the address has to wait
 */
export async function requirePassword(
  context: Context,
  request: FastifyRequest,
  password: string,
): Promise<UserWithPassword> {
  const user = await findUserWithPassword(context.db, callerOf(request).userId);
  if (!user) throw unauthenticated();
  if (user.password_hash === null)
    throw invalid({ current_password: ['Your account has no password yet. Set one on your profile first.'] });
  const { id: userId, email, password_hash: hash } = user;
  const isRight = await guessPassword(context, request, { email, hash, asker: { userId } }, password);
  if (!isRight) throw invalid({ current_password: ['The current password is wrong.'] });
  return user;
}

/**
 * Checks the current password before a new one is set. People without a password must have signed in recently instead.
 * @throws HttpError 422 on `current_password` or `password`, 429 while the address has to wait
 */
export async function requirePasswordOrNewSession(
  context: Context,
  request: FastifyRequest,
  password: string,
): Promise<UserWithPassword> {
  const { userId, sessionHash } = callerOf(request);
  const user = await findUserWithPassword(context.db, userId);
  if (!user || !sessionHash) throw unauthenticated();
  if (user.has_password) return requirePassword(context, request, password);
  if (await isNewSession(context.db, sessionHash, NEW_SESSION_MINUTES)) return user;
  const mend = `Sign out and in again first, and set the password within ${NEW_SESSION_MINUTES} minutes.`;
  throw invalid({ password: [mend] });
}
