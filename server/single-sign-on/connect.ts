import { deletePendingSignIns } from '../accounts/second-factor-queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { SignOnProblem } from './problem.ts';
import type { Identity } from './provider.ts';
import { deleteIdentity, insertIdentity } from './queries.ts';

/** From now on the identity signs in to the account. @throws SignOnProblem when one of them is connected already */
export async function connect(
  trx: Transaction,
  userId: number,
  identity: Identity,
  actor: Actor,
): Promise<void> {
  if (!(await insertIdentity(trx, userId, identity))) throw new SignOnProblem('identity_taken');
  await recordEvent(trx, actor, { verb: 'single_sign_on.connected' });
}

/** The caller has seen the password, so there is another way in. @throws HttpError 404 */
export async function disconnect(trx: Transaction, userId: number, actor: Actor): Promise<void> {
  if (!(await deleteIdentity(trx, userId))) throw notFound('Connection');
  await deletePendingSignIns(trx, userId);
  await recordEvent(trx, actor, { verb: 'single_sign_on.disconnected' });
}
