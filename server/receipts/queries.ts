import type { Db } from '../db/database.ts';

interface ReceiptKey {
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
