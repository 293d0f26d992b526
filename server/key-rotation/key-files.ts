import { rename } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { syncDirectory } from '../file-system.ts';
import { createSecretBox, keyFileIn, nextKeyFileIn, readNextKeyFile, type SecretBox } from '../secret-box.ts';
import { learnKeyInForce } from './queries.ts';

/**
 * Completes a rotation that was interrupted between database and key file: the new key takes its place if the database
 * belongs to it, and is left alone otherwise. Runs before the key is read.
 */
export async function finishRotation(db: Db, { secretKey, dataDir }: Config): Promise<void> {
  if (secretKey !== null) return;
  const next = await readNextKeyFile(dataDir);
  if (next !== null && (await learnKeyInForce(db)) === boxOf(next).fingerprint) await putInForce(dataDir);
}

/** Makes the next key the key in force, durably. */
export async function putInForce(dataDir: string): Promise<void> {
  await rename(nextKeyFileIn(dataDir), keyFileIn(dataDir));
  await syncDirectory(dataDir);
}

/** @param hex 64 hexadecimal digits */
export function boxOf(hex: string): SecretBox {
  return createSecretBox(Buffer.from(hex, 'hex'));
}
