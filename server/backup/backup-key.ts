import type { Config } from '../config.ts';
import { boxOf } from '../key-rotation/key-files.ts';
import { keyFileIn, readKeyFile } from '../secret-box.ts';
import type { BackupSource } from './write-archive.ts';

/** The key of an installation as a backup holds it. @param isWanted whether it goes into the backup at all */
export async function backupKey(config: Config, isWanted: boolean): Promise<BackupSource['key']> {
  if (config.secretKey !== null)
    return { text: null, state: 'SECRET_KEY', check: keyCheck(config.secretKey) };
  const text = await readKeyFile(keyFileIn(config.dataDir));
  if (text === null) return { text: null, state: 'none', check: null };
  if (!isWanted) return { text: null, state: 'left out', check: keyCheck(text) };
  return { text, state: 'included', check: keyCheck(text) };
}

/** Tells whether two keys are the same without telling either. */
export function keyCheck(keyHex: string): string {
  return boxOf(keyHex).fingerprint;
}
