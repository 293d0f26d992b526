import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';

/** The second factor of a user, confirmed or not; null without one. */
export async function findSecondFactor(db: Db, userId: number) {
  const found = await db
    .selectFrom('second_factors')
    .select(['secret_encrypted', 'confirmed_at'])
    .select((query) =>
      query
        .selectFrom('recovery_codes')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('recovery_codes.user_id', '=', 'second_factors.user_id')
        .where('used_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('codesLeft'),
    )
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found ?? null;
}

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Begins an enrolment, or starts it again. @returns false when the user has a confirmed second factor */
export async function insertSecondFactor(db: Db, userId: number, secretEncrypted: Buffer): Promise<boolean> {
  const fresh = { secret_encrypted: secretEncrypted, last_step: 0 };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('second_factors')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...fresh, created_at: sql`now()` })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/**
 * Uses up the code of a 30-second step: that code and all earlier ones are void afterwards (RFC 6238, 5.2).
 * @returns false when it was used before
 */
export async function spendStep(
  db: Db,
  userId: number,
  step: number,
  secretEncrypted: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .where('secret_encrypted', '=', secretEncrypted)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false when it was confirmed before, or started again with another secret */
export async function confirmSecondFactor(
  trx: Transaction,
  userId: number,
  secretEncrypted: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factors')
    .set({ confirmed_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('secret_encrypted', '=', secretEncrypted)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Recovery codes and sign-ins waiting for the factor are deleted too. @returns false when there was none */
export async function deleteSecondFactor(trx: Transaction, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

// Recovery codes

export async function replaceRecoveryCodes(trx: Transaction, userId: number, hashes: Buffer[]) {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** @returns false for a code that is unknown or used */
export async function spendRecoveryCode(trx: Transaction, userId: number, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// Sign-ins between their two steps

export async function insertPendingSignIn(
  db: Db,
  userId: number,
  tokenHash: Buffer,
  minutes: number,
): Promise<void> {
  await db
    .insertInto('pending_sign_ins')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      expires_at: sql`now() + make_interval(mins => ${minutes})`,
    })
    .execute();
}

/** The user who is signing in; null when the sign-in is over. */
export async function findPendingSignIn(db: Db, tokenHash: Buffer): Promise<number | null> {
  const found = await db
    .selectFrom('pending_sign_ins')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

/** @returns false when another request has just finished it */
export async function deletePendingSignIn(trx: Transaction, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deletePendingSignIns(trx: Transaction, userId: number): Promise<void> {
  await trx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
}
