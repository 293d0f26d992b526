import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config.ts';
import { EXPORT_FOLDER } from '../exports/jobs/build-export.ts';
import { nullWhenMissing } from '../file-system.ts';
import { openFileStore } from '../files/file-store.ts';
import { keyFileIn, readKeyFile } from '../secret-box.ts';
import { keyCheck } from './backup-key.ts';
import type { BackupHeader } from './format.ts';

/** A backup cannot be restored here; the message is one plain line that says what to do. */
export class RestoreRefused extends Error {}

/** What an empty data directory may contain: the key of the backup, backups, and what a new disk contains. */
const ALLOWED = [basename(keyFileIn('')), 'backups', 'lost+found'];
const FILES = 'files';
/** Folder of the embedded database. */
export const EMBEDDED = 'postgres';
/** Folders of the file store. */
const FILE_FOLDERS = [EXPORT_FOLDER, 'uploads'];

/**
 * @param hasEmptyDatabase in the data directory
 * @throws RestoreRefused unless the place is empty, so that a restore mixes with nothing
 */
export async function refuseFilledPlace(
  config: Config,
  { keepFiles, hasEmptyDatabase }: { keepFiles: boolean; hasEmptyDatabase: boolean },
): Promise<void> {
  const { dataDir, databaseUrl } = config;
  const allowed = new Set([
    ...ALLOWED,
    ...(keepFiles ? [FILES] : []),
    ...(hasEmptyDatabase ? [EMBEDDED] : []),
  ]);
  if (databaseUrl === null && (await entriesOf(dataDir)).some((name) => !allowed.has(name)))
    throw new RestoreRefused(
      `${dataDir} is not empty. A backup is restored only into an empty place: set DATA_DIR to another directory, or empty this one.`,
    );
  if (keepFiles) return;
  const files = await openFileStore(config);
  const lists = await Promise.all(FILE_FOLDERS.map((folder) => files.list(folder)));
  const found = config.s3 ? lists.flat() : await entriesOf(join(dataDir, FILES));
  if (found.length === 0) return;
  const place = config.s3 ? `The bucket ${config.s3.bucket}` : join(dataDir, FILES);
  throw new RestoreRefused(
    `${place} holds files already. Empty it, or add --keep-files if they are those of the lost installation; two running installations must never share them.`,
  );
}

/**
 * @returns whether to write the key of the backup here
 * @throws RestoreRefused when the key in use here could not read its encrypted values
 */
export async function examineKey(
  config: Config,
  header: BackupHeader,
  withoutKey: boolean,
): Promise<boolean> {
  const here = config.secretKey ?? (await readKeyFile(keyFileIn(config.dataDir)));
  if (withoutKey || header.key_check === null) return false;
  if (here === null && header.key === 'included') return true;
  const place = `set SECRET_KEY to it or put it into ${keyFileIn(config.dataDir)}`;
  const loss = 'or say --without-key and lose webhook secrets, header values and open links';
  if (here === null) throw new RestoreRefused(`The backup does not hold its key: ${place}, ${loss}.`);
  if (keyCheck(here) === header.key_check) return false;
  throw new RestoreRefused(`The key here is not the key of the backup: ${place}, ${loss}.`);
}

async function entriesOf(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(nullWhenMissing)) ?? [];
}
