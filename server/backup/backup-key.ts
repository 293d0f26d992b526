import type { Config } from '../config.ts';
import { boxOf } from '../key-rotation/key-files.ts';
import { keyFileIn, readKeyFile } from '../secret-box.ts';
import type { BackupSource } from './write-archive.ts';

/** The key of an installation as a backup holds it. @param isWanted whether the backup may contain it */
export async function backupKey(config: Config, isWanted: boolean): Promise<BackupSource['key']> {
  if (config.secretKey !== null)
    return { text: null, state: 'SECRET_KEY', check: keyCheck(config.secretKey) };
  const text = await readKeyFile(keyFileIn(config.dataDir));
  if (text === null) return { text: null, state: 'none', check: null };
  if (!isWanted) return { text: null, state: 'left out', check: keyCheck(text) };
  return { text, state: 'included', check: keyCheck(text) };
}

/** A check value that tells whether two keys are the same without revealing them. */
export function keyCheck(keyHex: string): string {
  return boxOf(keyHex).fingerprint;
}
