import { forgetAllFailedGuesses } from '../access/guesses.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { subjectOf } from './guess-password.ts';
import { hashPassword } from './passwords.ts';
import { findUserByEmail, type UserWithPassword, updatePasswordHash } from './queries.ts';
import { deletePendingSignIns } from './second-factor-queries.ts';
import { deleteOtherSessions } from './session-queries.ts';

/**
 * Changes the password of an account and ends its sessions.
 * @param user with the password that was checked
 * @param next the hash of the new password, and of the session to keep; null keeps none
 * @throws HttpError 409 when the password was changed meanwhile: a request that comes too late must not undo that change
 */
export async function replacePassword(
  trx: Transaction,
  user: UserWithPassword,
  { passwordHash, keptSession }: { passwordHash: string; keptSession: Buffer | null },
  actor: Actor,
): Promise<void> {
  if (!(await updatePasswordHash(trx, user, passwordHash)))
    throw new HttpError(409, 'The password was changed a moment ago. Please try again.');
  const sessions_ended = await deleteOtherSessions(trx, user.id, keptSession);
  await deletePendingSignIns(trx, user.id);
  const target = { id: user.id, name: user.name };
  await recordEvent(trx, actor, { verb: 'account.password_changed', target, details: { sessions_ended } });
}

/** Replaces a lost password: all sessions end, and failed guesses of the former password are deleted. */
export async function replaceLostPassword(
  trx: Transaction,
  user: UserWithPassword,
  passwordHash: string,
  actor: Actor,
): Promise<void> {
  await replacePassword(trx, user, { passwordHash, keptSession: null }, actor);
  await forgetAllFailedGuesses(trx, subjectOf(user.email));
}

/** For the operator, when the password is lost. @throws HttpError 404 */
export async function setPassword(db: Db, email: string, password: string, actor: Actor): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, email);
    if (!user) throw notFound('Account');
    await replaceLostPassword(trx, user, passwordHash, actor);
  });
}
