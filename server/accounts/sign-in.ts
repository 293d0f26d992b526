import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { lockUser } from './queries.ts';
import { insertPendingSignIn } from './second-factor-queries.ts';
import { startSession } from './sessions.ts';

/** Time to find the device and enter its code. */
export const PENDING_MINUTES = 5;
const PENDING_BYTES = 32;

/**
 * Signs a user in, under the lock of the account.
 * @param check the checks that let them in, repeated under the lock: password or factor may have changed meanwhile
 */
export async function signIn(
  context: Context,
  reply: FastifyReply,
  userId: number,
  check: (trx: Transaction) => Promise<void>,
): Promise<void> {
  const setCookie = await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    await check(trx);
    return startSession(context, trx, reply.request, userId);
  });
  setCookie(reply);
}

/**
 * Records the first step of a sign-in with a second factor, under the lock of the account.
 * @param check see `signIn`; whoever changes password or identity deletes only the first steps that are recorded by then
 * @returns the token to send with the second step
 */
export async function beginSecondStep(
  { db }: Context,
  userId: number,
  check: (trx: Transaction) => Promise<void>,
): Promise<string> {
  const token = randomBytes(PENDING_BYTES).toString('base64url');
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    await check(trx);
    await insertPendingSignIn(trx, userId, hashToken(token), PENDING_MINUTES);
  });
  return token;
}

export function overtaken(): HttpError {
  return new HttpError(409, 'The account changed a moment ago. Please sign in again.');
}
