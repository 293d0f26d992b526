import type { Caller } from '../access/authenticate.ts';
import { ANYWHERE, forgetAllFailedGuesses, guess } from '../access/guesses.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { HttpError, invalid, notFound } from '../http/errors.ts';
import { newRecoveryCodes, newSecret, otpauthUri, recoveryCodeHash, stepOfCode } from './one-time-codes.ts';
import { findUserByEmail, lockUser, type User } from './queries.ts';
import {
  confirmSecondFactor,
  deletePendingSignIns,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from './second-factor-queries.ts';
import { deleteOtherSessions } from './session-queries.ts';

/**
 * Begins an enrolment; sign-in asks for a code only after its confirmation. Starting again voids the former secret.
 * @throws HttpError 409 when there is a second factor already
 */
export async function enrol(context: Context, user: User) {
  const secret = newSecret();
  if (!(await insertSecondFactor(context.db, user.id, context.secrets.encrypt(secret, purposeOf(user.id)))))
    throw new HttpError(409, 'The second factor is in use. Switch it off first.');
  const issuer = `Formstead (${new URL(context.baseUrl()).host})`;
  return { secret, otpauth_uri: otpauthUri(secret, issuer, user.email) };
}

/**
 * Switches the second factor on with a first code, and ends all other sessions, which began without it.
 * @returns the recovery codes
 * @throws HttpError 404 without an enrolment, 409 when it is confirmed, 422 for a wrong code, 429
 */
export async function confirm(
  context: Context,
  { userId, sessionHash }: Caller,
  code: string,
  actor: Actor,
): Promise<string[]> {
  const factor = await findSecondFactor(context.db, userId);
  if (!factor) throw notFound('Second factor');
  if (factor.confirmed_at !== null) throw new HttpError(409, 'The second factor is in use already.');
  await requireCode(context, userId, code, actor, { takesRecoveryCodes: false });
  return context.db.transaction().execute(async (trx) => {
    // A sign-in by password alone either comes first and is signed out here, or comes later and is asked for a code.
    await lockUser(trx, userId);
    if (!(await confirmSecondFactor(trx, userId, factor.secret_encrypted)))
      throw new HttpError(409, 'The second factor changed a moment ago. Please try again.');
    await deleteOtherSessions(trx, userId, sessionHash);
    await deletePendingSignIns(trx, userId);
    await recordEvent(trx, actor, { verb: 'second_factor.enabled' });
    return giveRecoveryCodes(trx, userId);
  });
}

/** Makes ten new recovery codes and voids the former ones. @throws HttpError 404 without a second factor */
export function renewRecoveryCodes(db: Db, userId: number, actor: Actor): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // Of two at once, the later one sees the codes of the earlier one, and voids them.
    await lockUser(trx, userId);
    const factor = await findSecondFactor(trx, userId);
    if (!factor?.confirmed_at) throw notFound('Second factor');
    await recordEvent(trx, actor, { verb: 'second_factor.recovery_codes_renewed' });
    return giveRecoveryCodes(trx, userId);
  });
}

/** Switches it off; the caller has checked password and code. @throws HttpError 404 without a second factor */
export async function disable(db: Db, userId: number, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // As whoever makes new recovery codes at this moment.
    await lockUser(trx, userId);
    if (!(await deleteSecondFactor(trx, userId))) throw notFound('Second factor');
    await deletePendingSignIns(trx, userId);
    await recordEvent(trx, actor, { verb: 'second_factor.disabled' });
  });
}

/** For the operator, when device and recovery codes are lost. @throws HttpError 404 */
export async function resetSecondFactor(db: Db, email: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, email);
    if (!user) throw notFound('Account');
    await lockUser(trx, user.id);
    if (!(await deleteSecondFactor(trx, user.id))) throw notFound('Second factor');
    await deletePendingSignIns(trx, user.id);
    // Failed codes must not delay the confirmation of the next factor.
    await forgetAllFailedGuesses(trx, subjectOf(user.id));
    const target = { id: user.id, name: user.name };
    await recordEvent(trx, actor, { verb: 'second_factor.reset', target });
  });
}

/**
 * Checks a code or a recovery code, each valid once. Wrong codes of all addresses count together: six digits are few, and
 * whoever tries them has the password already.
 * @throws HttpError 422 on `code`, 429 during the pause after wrong codes
 */
export async function requireCode(
  context: Context,
  userId: number,
  code: string,
  actor: Actor,
  { takesRecoveryCodes = true } = {},
): Promise<void> {
  const isRight = await guess(
    context.db,
    { subject: subjectOf(userId), address: ANYWHERE },
    async () =>
      (await isCurrentCode(context, userId, code)) ||
      (takesRecoveryCodes && (await isRecoveryCode(context.db, userId, code, actor))),
  );
  if (!isRight) throw invalid({ code: ['The code is wrong or was used already.'] });
}

async function isCurrentCode({ db, secrets }: Context, userId: number, code: string): Promise<boolean> {
  const factor = await findSecondFactor(db, userId);
  const secret = factor && secrets.decrypt(factor.secret_encrypted, purposeOf(userId));
  const step = secret && stepOfCode(secret, code);
  return factor !== null && typeof step === 'number' && spendStep(db, userId, step, factor.secret_encrypted);
}

async function isRecoveryCode(db: Db, userId: number, code: string, actor: Actor): Promise<boolean> {
  const hash = recoveryCodeHash(code);
  if (!hash) return false;
  return db.transaction().execute(async (trx) => {
    if (!(await spendRecoveryCode(trx, userId, hash))) return false;
    await recordEvent(trx, actor, { verb: 'second_factor.recovery_code_used' });
    return true;
  });
}

async function giveRecoveryCodes(trx: Transaction, userId: number): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  await replaceRecoveryCodes(trx, userId, hashes);
  return codes;
}

/** The subject under which wrong codes of a user are counted. */
function subjectOf(userId: number): string {
  return `second-factor:${userId}`;
}

/** The purpose that binds a sealed secret to its user: the secret of another user does not open in its place. */
export function purposeOf(userId: number): string {
  return `second-factor:${userId}`;
}
