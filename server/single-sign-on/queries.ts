import type { Db, Transaction } from '../db/database.ts';
import type { Identity } from './provider.ts';

/** The account of an identity; null without one. */
export async function findOwner(db: Db, { issuer, subject }: Identity): Promise<number | null> {
  const found = await db
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

/** When an account was connected; null when it is not. */
export async function findConnection(db: Db, userId: number): Promise<Date | null> {
  const found = await db
    .selectFrom('identities')
    .select('created_at')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found?.created_at ?? null;
}

/** @returns false when the account or the identity is connected already */
export async function insertIdentity(
  trx: Transaction,
  userId: number,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identities')
    .values({ user_id: userId, issuer, subject })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns false when there was none */
export async function deleteIdentity(trx: Transaction, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
