import type { Db } from '../db/database.ts';
import { findReceiptKey } from './queries.ts';
import { isSignedBy, readCopy } from './signed-copy.ts';

/** `unreadable`: not the whole text of a signed copy. `false`: not issued here, or changed since. */
export type ReceiptVerdict = 'genuine' | 'false' | 'unreadable';

export async function checkReceipt(db: Db, text: string): Promise<ReceiptVerdict> {
  const copy = readCopy(text);
  if (copy === null) return 'unreadable';
  const key = await findReceiptKey(db, copy.keyId);
  return key !== null && isSignedBy(copy, key.public_key) ? 'genuine' : 'false';
}
