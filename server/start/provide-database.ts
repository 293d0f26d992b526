import type { Config } from '../config.ts';
import { acquireDataDirectoryLock } from '../db/data-directory-lock.ts';
import type { Connection } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';

export interface ProvidedDatabase {
  connection: Connection;
  release(): Promise<void>;
}

/** The operator's PostgreSQL, or the embedded one, started here and held by this process alone. */
export async function provideDatabase(config: Config): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== null)
    return { connection: { connectionString: config.databaseUrl }, release: async () => {} };
  const lock = await acquireDataDirectoryLock(config.dataDir);
  try {
    const postgres = await startEmbeddedPostgres(config.dataDir);
    return {
      connection: postgres.connection,
      async release() {
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
