import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { acquireDataDirectoryLock } from '../db/data-directory-lock.ts';
import type { Connection } from '../db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts';

export interface ProvidedDatabase {
  connection: Connection;
  /** From now on restarts an embedded PostgreSQL that ends by itself, and keeps its log short. */
  supervise(log: Logger): void;
  release(): Promise<void>;
}

const SUPERVISION_INTERVAL_MS = 1_000;

/**
 * The operator's PostgreSQL, or the embedded one, started here and owned by this process alone.
 * @param tell hears why the start takes long
 */
export async function provideDatabase(
  config: Config,
  tell: (line: string) => void = () => {},
): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    return { connection, supervise() {}, release: async () => {} };
  }
  const lock = await acquireDataDirectoryLock(config.dataDir);
  try {
    return held(config.dataDir, await startEmbeddedPostgres(config.dataDir, tell), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function held(
  dataDir: string,
  started: EmbeddedPostgres,
  lock: { release(): Promise<void> },
): ProvidedDatabase {
  let postgres = started;
  let timer: NodeJS.Timeout | undefined;
  let restart: Promise<void> | null = null;

  async function startAgain(log: Logger): Promise<void> {
    log.error('PostgreSQL ended by itself; starting it again');
    try {
      postgres = await startEmbeddedPostgres(dataDir);
    } catch (err) {
      log.error({ err }, 'PostgreSQL could not be started again');
    } finally {
      restart = null;
    }
  }

  return {
    connection: started.connection,
    supervise(log) {
      timer = setInterval(() => {
        if (restart !== null) return;
        if (!postgres.isRunning()) restart = startAgain(log);
        // A full disk has no room for the former log: the next turn tries again.
        else void Promise.allSettled([postgres.finishShutdown(), postgres.boundLog()]);
      }, SUPERVISION_INTERVAL_MS);
    },
    async release() {
      clearInterval(timer);
      await restart;
      await postgres.stop();
      await lock.release();
    },
  };
}
