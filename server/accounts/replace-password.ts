import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { hashPassword } from './passwords.ts';
import { findUserByEmail, updatePasswordHash } from './queries.ts';
import { deletePendingSignIns } from './second-factor-queries.ts';
import { deleteOtherSessions } from './session-queries.ts';

/** Gives an account another password and ends its sessions. @param keptHash of the session that stays; null: none does */
export async function replacePassword(
  trx: Transaction,
  user: { id: number; name: string },
  passwordHash: string,
  keptHash: Buffer | null,
  actor: Actor,
): Promise<void> {
  await updatePasswordHash(trx, user.id, passwordHash);
  const sessions_ended = await deleteOtherSessions(trx, user.id, keptHash);
  await deletePendingSignIns(trx, user.id);
  const target = { id: user.id, name: user.name };
  await recordEvent(trx, actor, { verb: 'account.password_changed', target, details: { sessions_ended } });
}

/** For the operator, when the password is lost. @throws HttpError 404 */
export async function setPassword(db: Db, email: string, password: string, actor: Actor): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, email);
    if (!user) throw notFound('Account');
    await replacePassword(trx, user, passwordHash, null, actor);
  });
}
