import { writeFile } from 'node:fs/promises';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { type Db, databaseOn, openPool } from '../db/database.ts';
import { apply, createMigrationTable, type Migration, readMigrations, refuseUnfit } from '../db/migrate.ts';
import { makeDirectory } from '../file-system.ts';
import { type FileStore, openFileStore } from '../files/file-store.ts';
import { setKeyInForce } from '../key-rotation/queries.ts';
import { disconnectUnreadable } from '../payments/disconnect-unreadable.ts';
import { keyFileIn, openSecretBox } from '../secret-box.ts';
import { provideDatabase } from '../start/provide-database.ts';
import { carriedJobs } from './carried-jobs.ts';
import { examineKey, RestoreRefused, refuseFilledPlace } from './empty-place.ts';
import { type BackupContent, type BackupHeader, FORMAT_VERSION } from './format.ts';
import { refuseHalfRestored } from './interrupted-restore.ts';
import {
  beginFilling,
  disconnectPayments,
  endFilling,
  endLeases,
  enqueueRestoredJobs,
  forgetSummaries,
  gatherStatistics,
  holdDeliveries,
  holdRecipientMails,
  isDatabaseEmpty,
} from './queries.ts';
import { checkArchive } from './read-archive.ts';
import { type RestoredContent, restoreContent } from './restore-content.ts';
import { beginRestore, endRestore } from './restore-mark-queries.ts';

export interface RestoreOptions {
  /** Send the deliveries and mails that waited when the backup was made, and go on taking payments. */
  sendDeliveries: boolean;
  /** Restore without the key of the backup: its encrypted values are lost. */
  withoutKey: boolean;
  /** Keep files that are in the store already. */
  keepFiles: boolean;
}

export interface Restored extends BackupContent, Counts {}

interface Counts {
  /** Waiting deliveries that were cancelled. */
  held: number;
  /** Waiting mails to recipients that were taken out of the line. */
  heldMails: number;
  /** Accounts for payments that were disconnected. */
  disconnected: number;
  /** Background jobs that continue. */
  jobs: number;
}

/** A backup that was read, and that this version can restore. */
interface CheckedBackup extends BackupContent {
  /** All migrations of this version. */
  migrations: Migration[];
}

interface Helpers {
  /** Hears of the progress. */
  tell(line: string): void;
  provide?: typeof provideDatabase;
}

/**
 * Reads a whole backup and returns what it holds; writes nothing.
 * @throws DamagedArchive; RestoreRefused when a newer version made it
 */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  const migrations = await readMigrations();
  const found = await checkArchive(path, (header) => refuseNewer(header, migrations));
  return { ...found, migrations };
}

/**
 * Restores a backup into the empty place that the settings name. Nothing is written before the whole archive has been
 * checked. While the restore runs, a mark in the database keeps services from starting on it.
 * @throws RestoreRefused, DamagedArchive; MigrationError when no service would start on the database
 */
export async function restore(
  config: Config,
  path: string,
  options: RestoreOptions,
  { tell, provide = provideDatabase }: Helpers,
): Promise<Restored> {
  tell('checking the archive');
  const backup = await checkBackup(path);
  const isKeyWritten = await examineKey(config, backup.header, options.withoutKey);
  const { keepFiles, withoutKey } = options;
  const hasEmptyDatabase = await refuseHalfRestored(config, keepFiles, provide);
  await refuseFilledPlace(config, { keepFiles, hasEmptyDatabase });
  const files = await openFileStore(config);
  const database = await provide(config, tell);
  const { db, pool, close } = databaseOn(
    openPool(database.connection, () => {}, { max: 3, statement_timeout: 0 }),
  );
  try {
    await refuseUnfit(pool);
    if (!(await isDatabaseEmpty(pool)))
      throw new RestoreRefused('The database is not empty. A backup is put back into an empty one only.');
    const { key, ...counts } = await withClient(pool, (client) =>
      fill(pool, client, { path, backup, files, options, tell }),
    );
    if (isKeyWritten && key !== null) await writeKey(config.dataDir, key);
    if (withoutKey) counts.disconnected += await takeKeyHere(db, config);
    await endRestore(pool);
    return { ...backup, ...counts };
  } finally {
    await close();
    await database.release();
  }
}

/** @throws RestoreRefused */
function refuseNewer(header: BackupHeader, migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const isKnown = header.migrations?.every(({ name, checksum }) => known.get(name) === checksum);
  if (header.format_version <= FORMAT_VERSION && isKnown) return;
  throw new RestoreRefused(
    `The backup was made by Formstead ${header.formstead}, whose database this version does not know. Restore it with that version or a later one.`,
  );
}

async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    // Closing the connection ends whatever is still open.
    client.release(true);
  }
}

interface Filling {
  path: string;
  backup: CheckedBackup;
  files: FileStore;
  options: RestoreOptions;
  tell: Helpers['tell'];
}

/** Makes the schema of the backup, fills it, then applies the newer migrations, as the original database would have. */
async function fill(
  pool: pg.Pool,
  client: pg.PoolClient,
  { path, backup, files, options, tell }: Filling,
): Promise<RestoredContent & Counts> {
  const { header, manifest, migrations } = backup;
  const applied = new Set(header.migrations.map(({ name }) => name));
  await createMigrationTable(client);
  await beginRestore(client);
  await migrateJobQueue({ pgPool: pool });

  const newer = migrations.filter(({ name }) => !applied.has(name));
  await beginFilling(
    client,
    migrations.filter(({ name }) => applied.has(name)),
    header.tables,
  );
  let counts: Counts = { held: 0, heldMails: 0, disconnected: 0, jobs: 0 };
  const tablesDone = async () => {
    await endFilling(client, header.sequences);
    for (const migration of newer) await apply(client, migration);
    await endLeases(client);
    counts = await settleWaiting(client, header, options);
    await gatherStatistics(client);
    tell(`files: ${manifest.files.count}`);
  };
  const target = { client, files, keepFiles: options.keepFiles, tablesDone };
  const content = await restoreContent(path, backup, target, tell);
  return { ...content, ...counts };
}

/** Decides about everything that waited to be sent, or to be done, when the backup was made. */
async function settleWaiting(
  client: pg.ClientBase,
  { taken_at: moment }: BackupHeader,
  { sendDeliveries }: RestoreOptions,
): Promise<Counts> {
  const resume = () => enqueueRestoredJobs(client, carriedJobs(sendDeliveries));
  if (sendDeliveries) return { held: 0, heldMails: 0, disconnected: 0, jobs: await resume() };
  const takenAt = `${moment.slice(0, 16).replace('T', ' ')} UTC`;
  const reason = `Not sent: it was waiting in the backup of ${takenAt} that was restored.`;
  const hint = 'Send it again if the receiver does not have it.';
  await forgetSummaries(client);
  const held = await holdDeliveries(client, `${reason} ${hint}`);
  const heldMails = await holdRecipientMails(client, reason);
  return { held, heldMails, disconnected: await disconnectPayments(client), jobs: await resume() };
}

/**
 * Assigns the database to the key that is here, whatever key the backup was made with.
 * @returns how many accounts for payments were disconnected, because this key does not open theirs
 */
async function takeKeyHere(db: Db, { secretKey, dataDir }: Config): Promise<number> {
  const box = await openSecretBox(secretKey, dataDir);
  return db.transaction().execute(async (trx) => {
    await setKeyInForce(trx, box.fingerprint);
    return disconnectUnreadable(trx, box);
  });
}

async function writeKey(dataDir: string, key: string): Promise<void> {
  await makeDirectory(dataDir);
  await writeFile(keyFileIn(dataDir), `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
}
