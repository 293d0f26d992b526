import { backupKey } from '../backup/backup-key.ts';
import { BucketProblem, bucketFolder, isBucketAddress } from '../backup/bucket-folder.ts';
import { FileExistsError } from '../backup/give-name.ts';
import { type Backup, makeBackup } from '../backup/make-backup.ts';
import { openPlace, removeOld } from '../backup/places.ts';
import { DamagedArchive } from '../backup/tar.ts';
import { type Config, readConfig } from '../config.ts';
import { databaseProblem } from '../db/constraint-errors.ts';
import { type Connection, openDatabase } from '../db/database.ts';
import { missingMigrations, refuseUnfit } from '../db/migrate.ts';
import { isDatabaseStillToBeMade } from '../doctor/database.ts';
import { inBytes } from '../doctor/sizes.ts';
import { openFileStore } from '../files/file-store.ts';
import { finishRotation } from '../key-rotation/key-files.ts';
import { findKeyInForce } from '../key-rotation/queries.ts';
import { provideDatabase } from '../start/provide-database.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { awaitInterruption } from './interruption.ts';
import { reachDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { inPlainWords } from './plain-words.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.backup.usage;
const OPTIONS = {
  to: { type: 'string' },
  keep: { type: 'string' },
  'without-key': { type: 'boolean' },
} as const;

/** Backs up everything while the service runs or rests, and prints only where the backup is. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const keep = keptCount(values.keep);
  const config = readConfig();
  const { to = config.backup?.to ?? '.' } = values;
  if (isBucketAddress(to) && bucketFolder(to) === null)
    throw new UsageError('--to takes a folder of a bucket like s3://backups/formstead.');
  const place = await openPlace(to, config.s3Server).catch((error) => {
    throw notWritten(error, to);
  });
  if (keep !== null && place.folder === null)
    throw new UsageError('--keep needs --to with a directory that exists or ends with a slash.');
  const interruption = awaitInterruption();
  try {
    const tell = (line: string) => io.err(`… ${line}`);
    const withKey = !(values['without-key'] ?? false);
    const leaving = interruption.signal;
    const make = (path: string, bring: () => Promise<void>) =>
      backUp(config, path, { withKey, leaving, keep: bring, err: io.err, tell }).catch((error) => {
        throw explained(error, path);
      });
    const address = await place.add(make, leaving);
    io.out(address);
    if (keep !== null && place.folder !== null)
      await removeOld(place.folder, keep, address).then(
        (names) => names.forEach((name) => void tell(`removed ${name}`)),
        (error: Error) => io.err(`The backup is there, but old ones could not be removed: ${error.message}`),
      );
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) throw new CommandError('Interrupted: there is no backup.');
    throw error instanceof BucketProblem ? new CommandError(error.message) : inPlainWords(error);
  } finally {
    interruption.end();
  }
}

function keptCount(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError('--keep takes the number of backups to keep, from 1 to 9999.');
}

interface Backing {
  withKey: boolean;
  leaving: AbortSignal;
  keep: () => Promise<void>;
  tell: (line: string) => void;
  err: CommandIo['err'];
}

async function backUp(
  config: Config,
  path: string,
  { withKey, leaving, keep, tell, err }: Backing,
): Promise<void> {
  if (await isDatabaseStillToBeMade(config))
    throw new CommandError(
      `There is no database in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the service does.`,
    );
  const files = await openFileStore(config);
  const { connection, release } = await reachDatabase(config, provideDatabase);
  try {
    const key = await examine(config, connection, withKey, err);
    const backup = await makeBackup(connection, { files, key }, path, { tell, leaving, keep });
    for (const line of remarks(backup)) err(line);
  } finally {
    await release();
  }
}

/**
 * Backs up the database as it is, even just before an upgrade; refuses only one of a newer version.
 * @returns the key as the backup will hold it
 */
async function examine(config: Config, connection: Connection, withKey: boolean, err: CommandIo['err']) {
  const { db, pool, close } = openDatabase(connection, () => {}, 2);
  try {
    await refuseUnfit(pool);
    await missingMigrations(pool);
    await finishRotation(db, config);
    const key = await backupKey(config, withKey);
    const inForce = await findKeyInForce(db).catch(() => null);
    if (inForce !== null && key.check !== null && inForce !== key.check)
      err('The key here is not the one the database was encrypted with. Keep the right one elsewhere.');
    return key;
  } finally {
    await close();
  }
}

function remarks({ bytes, header, manifest }: Backup): string[] {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { files, missing_files: missing } = manifest;
  const lines = [`${inBytes(bytes)}: ${rows} rows, ${files.count} files, as of ${header.taken_at}.`];
  if (missing.count > 0)
    lines.push(
      `${missing.count} files were missing in the store: ${missing.names.slice(0, 5).join(', ')}${missing.count > 5 ? ' …' : ''}`,
    );
  if (header.key === 'included') lines.push('The key is in it: whoever reads this file can read everything.');
  else if (header.key !== 'none')
    lines.push('The key is not in it. Keep it elsewhere: without it webhook secrets and headers are lost.');
  return lines;
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof FileExistsError || error instanceof BucketProblem)
    return new CommandError(error.message);
  if (error instanceof DamagedArchive)
    return new CommandError(`The written backup cannot be read: ${error.message}`);
  const { path: place, syscall } = error as NodeJS.ErrnoException;
  // Errors of the database and the bucket name a system call too, as does reading files of the store.
  const isOfFile = syscall !== undefined && databaseProblem(error) === 'unknown';
  if (isOfFile && (place === undefined || place.startsWith(path))) return notWritten(error, path);
  return inPlainWords(error);
}

function notWritten(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined
    ? error
    : new CommandError(`The backup cannot be written to ${path} (${code}).`);
}
