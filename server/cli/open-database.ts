import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../config.ts';
import { DataDirectoryInUseError } from '../db/data-directory-lock.ts';
import { type Connection, type Db, openDatabase, openPool } from '../db/database.ts';
import { runningEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { countOtherConnections } from '../key-rotation/queries.ts';
import { type ProvidedDatabase, provideDatabase } from '../start/provide-database.ts';
import { awaitInterruption } from './interruption.ts';
import { inPlainWords } from './plain-words.ts';

/** A service that holds the data directory takes at most this long to start or stop its database. */
const BUSY_LIMIT_MS = 30_000;
const BUSY_POLL_MS = 100;
const POOL_SIZE = 2;

/**
 * Runs one command on the migrated database: the operator's, the one of a running service, or the embedded one, started
 * for this command alone.
 * @throws CommandError for problems that the operator can fix
 */
export async function withDatabase<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  return withMigrated(async ({ connection }) => {
    const database = openDatabase(connection, () => {}, POOL_SIZE);
    return work(database.db).finally(() => database.close());
  });
}

/** @returns the result of `work`, which gets the names of the migrations applied now */
export async function withMigrated<Result>(
  work: (database: { connection: Connection; applied: string[] }) => Promise<Result>,
): Promise<Result> {
  try {
    const { connection, release } = await reachDatabase(readConfig(), provideForCommand);
    try {
      const pool = openPool(connection, () => {}, { max: POOL_SIZE });
      const applied = await migrate(pool).finally(() => pool.end());
      return await work({ connection, applied });
    } finally {
      await release();
    }
  } catch (error) {
    throw inPlainWords(error);
  }
}

/**
 * The database as it is, migrated or not; the caller releases it.
 * @param provide starts it when no service runs
 * @param busyLimitMs time to wait for a service that is starting or stopping
 */
export async function reachDatabase(
  config: Config,
  provide: typeof provideDatabase,
  busyLimitMs = BUSY_LIMIT_MS,
): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== null) return provide(config);
  for (const deadline = Date.now() + busyLimitMs; ; await sleep(BUSY_POLL_MS)) {
    const running = await runningEmbeddedPostgres(config.dataDir);
    if (running) return { connection: running, supervise() {}, release: async () => {} };
    try {
      const { connection, supervise, release } = await provide(config);
      return { connection, supervise, release: () => untilUnused(connection).finally(release) };
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError) || Date.now() > deadline) throw error;
    }
  }
}

/** Waits for other commands that use the database, or they would lose it in the middle of their work. */
async function untilUnused(connection: Connection): Promise<void> {
  const { db, close } = openDatabase(connection, () => {}, 1);
  try {
    while ((await db.transaction().execute(countOtherConnections)) > 0) await sleep(BUSY_POLL_MS);
  } catch {
    // A database that does not answer is not in use.
  } finally {
    await close();
  }
}

interface InterruptibleDatabase extends ProvidedDatabase {
  /** Stops handling signals, because the caller handles them from now on. */
  endInterruption(): void;
}

/**
 * For a command with no other clean-up: a signal stops what was started for it. Left running, the database would never be
 * stopped, even when its directory is deleted, and a minute later take the socket of the next one.
 * @param exitCode of a process that a signal ended
 */
export async function provideForCommand(
  config: Config,
  tell?: (line: string) => void,
  exitCode = 1,
): Promise<InterruptibleDatabase> {
  if (config.databaseUrl !== null) return { ...(await provideDatabase(config)), endInterruption() {} };
  const { signal, end } = awaitInterruption();
  const providing = provideDatabase(config, tell);
  let stopping: Promise<void> | undefined;
  const stop = async () => (stopping ??= (await providing).release());
  signal.addEventListener('abort', () => {
    tell?.('interrupted; stopping the database');
    void stop().finally(() => process.exit(exitCode));
  });
  try {
    const { connection, supervise } = await providing;
    // Errors of the work after its database was taken away are of no interest.
    const release = () => (signal.aborted ? new Promise<void>(() => {}) : stop().finally(end));
    return { connection, supervise, release, endInterruption: end };
  } catch (error) {
    end();
    throw error;
  }
}
