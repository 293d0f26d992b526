import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { lockUser } from './queries.ts';
import { insertPendingSignIn } from './second-factor-queries.ts';
import { startSession } from './sessions.ts';

/** How long somebody may look for the device. */
export const PENDING_MINUTES = 5;
const PENDING_BYTES = 32;

/**
 * Signs a user in, under the lock of the account.
 * @param check what let them in, looked at again: a password or factor that changes meanwhile counts
 */
export async function signIn(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  check: (trx: Transaction) => Promise<void>,
): Promise<void> {
  const setCookie = await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    await check(trx);
    return startSession(context, trx, request, userId);
  });
  setCookie(reply);
}

/** Where a second factor is on: what stands for the first step. @returns the token that the second one brings along */
export async function beginSecondStep(context: Context, userId: number): Promise<string> {
  const token = randomBytes(PENDING_BYTES).toString('base64url');
  await insertPendingSignIn(context.db, userId, hashToken(token), PENDING_MINUTES);
  return token;
}

export function overtaken(): HttpError {
  return new HttpError(409, 'The account changed a moment ago. Please sign in again.');
}
