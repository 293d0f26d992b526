import type { Context } from '../context.ts';
import { insertReceiptKey } from './queries.ts';
import { keyIdOf, publicBytes, signCopy } from './signed-copy.ts';

/**
 * Signs receipts with a key derived from the secret key. Its public half is stored before the first one is given out, because a
 * receipt outlives the secret key.
 */
export function createReceiptSigner({
  db,
  secrets,
}: Pick<Context, 'db' | 'secrets'>): (text: string) => Promise<string> {
  const key = secrets.privateKey('receipts');
  let stored: Promise<void> | undefined;
  return async (text) => {
    stored ??= store();
    await stored;
    return signCopy(text, key);
  };

  function store(): Promise<void> {
    const bytes = publicBytes(key);
    return insertReceiptKey(db, keyIdOf(bytes), bytes).catch((error) => {
      stored = undefined;
      throw error;
    });
  }
}
