import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { createSecretBox, keyFileIn } from '../secret-box.ts';
import type { BackupSource } from './write-archive.ts';

const CHECKED_TEXT = 'the key of this backup';

/** The key of an installation as a backup holds it. @param isWanted whether it goes into the backup at all */
export async function backupKey(config: Config, isWanted: boolean): Promise<BackupSource['key']> {
  if (config.secretKey !== null)
    return { text: null, state: 'SECRET_KEY', check: keyCheck(config.secretKey) };
  const text = await readKeyFile(config.dataDir);
  if (text === null) return { text: null, state: 'none', check: null };
  if (!isWanted) return { text: null, state: 'left out', check: keyCheck(text) };
  return { text, state: 'included', check: keyCheck(text) };
}

/** Tells whether two keys are the same without telling either. */
export function keyCheck(keyHex: string): string {
  return createSecretBox(Buffer.from(keyHex, 'hex')).sign(CHECKED_TEXT, 'backup');
}

/** null when there is none. */
export async function readKeyFile(dataDir: string): Promise<string | null> {
  const text = await readFile(keyFileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text?.trim() ?? null;
}
