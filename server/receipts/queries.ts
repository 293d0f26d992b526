import type { Answers } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';

/** A complete submission as its sender sees it, whether it was set aside or not. */
export interface SentSubmission {
  publicId: string;
  answers: Answers;
  receivedAt: Date;
  /** When its answers became what they are. */
  unchangedSince: Date;
}

/** @returns null if it is gone, in the trash, or not complete */
export async function findSentSubmission(
  db: Db,
  formId: number,
  publicId: string,
): Promise<SentSubmission | null> {
  const row = await db
    .selectFrom('kept_submissions')
    .select(['data', 'created_at', 'updated_at'])
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('status', 'in', ['completed', 'set_aside'])
    .where('trashed_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { data, created_at: receivedAt, updated_at: unchangedSince } = row;
  return {
    publicId,
    answers: data as Answers,
    receivedAt: receivedAt as Date,
    unchangedSince: unchangedSince as Date,
  };
}

export interface ReceiptKey {
  id: string;
  /** 32 bytes. */
  public_key: Buffer;
  created_at: Date;
}

/** A key that is known already stays as it is. */
export async function insertReceiptKey(db: Db, id: string, publicKey: Buffer): Promise<void> {
  await db
    .insertInto('receipt_keys')
    .values({ id, public_key: publicKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findReceiptKey(db: Db, id: string): Promise<ReceiptKey | null> {
  return (await db.selectFrom('receipt_keys').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** All of them, the latest first: one for each secret key this installation has had while it gave receipts. */
export function findReceiptKeys(db: Db): Promise<ReceiptKey[]> {
  return db.selectFrom('receipt_keys').selectAll().orderBy('created_at', 'desc').execute();
}
