import { lockUser } from '../accounts/queries.ts';
import { deletePendingSignIns } from '../accounts/second-factor-queries.ts';
import { deleteOtherSessions } from '../accounts/session-queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { SignOnProblem } from './problem.ts';
import type { Identity } from './provider.ts';
import { deleteIdentity, insertIdentity } from './queries.ts';

/** Lets the identity sign in to the account. @throws SignOnProblem when one of them is connected already */
export async function connect(
  trx: Transaction,
  userId: number,
  identity: Identity,
  actor: Actor,
): Promise<void> {
  if (!(await insertIdentity(trx, userId, identity))) throw new SignOnProblem('identity_taken');
  await recordEvent(trx, actor, { verb: 'single_sign_on.connected' });
}

/**
 * The caller has checked the password, so the account keeps a way in. All other sessions end, since the removed identity
 * may have begun any of them.
 * @throws HttpError 404
 */
export async function disconnect(
  trx: Transaction,
  userId: number,
  keptHash: Buffer | null,
  actor: Actor,
): Promise<void> {
  await lockUser(trx, userId);
  if (!(await deleteIdentity(trx, userId))) throw notFound('Connection');
  const sessions_ended = await deleteOtherSessions(trx, userId, keptHash);
  await deletePendingSignIns(trx, userId);
  await recordEvent(trx, actor, { verb: 'single_sign_on.disconnected', details: { sessions_ended } });
}
