import { open, rename } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { createSecretBox, keyFileIn, nextKeyFileIn, readNextKeyFile, type SecretBox } from '../secret-box.ts';
import { findKeyInForce } from './queries.ts';

/**
 * Ends a rotation that was interrupted between the database and the key file: the new key takes its place when the
 * database belongs to it, and is left alone otherwise. Before the key is read.
 */
export async function finishRotation(db: Db, { secretKey, dataDir }: Config): Promise<void> {
  if (secretKey !== null) return;
  const next = await readNextKeyFile(dataDir);
  if (next !== null && (await findKeyInForce(db)) === boxOf(next).fingerprint) await putInForce(dataDir);
}

/** Makes the next key the key, durably. */
export async function putInForce(dataDir: string): Promise<void> {
  await rename(nextKeyFileIn(dataDir), keyFileIn(dataDir));
  const folder = await open(dataDir);
  await folder.sync().finally(() => folder.close());
}

/** Says it when the database belongs to another key since the last rotation. */
export async function warnOfOtherKey(db: Db, secrets: SecretBox, log: Logger): Promise<void> {
  const inForce = await findKeyInForce(db).catch(() => null);
  if (inForce !== null && inForce !== secrets.fingerprint)
    log.error('the key is not the one the database was encrypted with at the last rotation');
}

/** @param hex 64 hexadecimal digits */
export function boxOf(hex: string): SecretBox {
  return createSecretBox(Buffer.from(hex, 'hex'));
}
