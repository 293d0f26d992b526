import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config.ts';
import { openPool } from '../db/database.ts';
import { keyFileIn } from '../secret-box.ts';
import type { provideDatabase } from '../start/provide-database.ts';
import { RestoreRefused } from './empty-place.ts';
import { isRestoreUnfinished } from './restore-mark-queries.ts';

/**
 * Tells a place that an interrupted restore has left half filled from one that is in use. An embedded database is started to look.
 * @throws RestoreRefused when it is one; the message says what to remove
 */
export async function refuseHalfRestored(
  config: Config,
  keepFiles: boolean,
  provide: typeof provideDatabase,
): Promise<void> {
  if (config.databaseUrl === null && !(await hasEmbeddedDatabase(config.dataDir))) return;
  if (!(await isHalfRestored(config, provide))) return;
  throw new RestoreRefused(`An earlier restore was interrupted here. ${mend(config, keepFiles)}`);
}

function mend({ dataDir, databaseUrl, s3 }: Config, keepFiles: boolean): string {
  const again = 'and run formstead restore again.';
  const files = s3 ? `the bucket ${s3.bucket}` : join(dataDir, 'files');
  const emptied = keepFiles ? '' : `empty ${files}, `;
  if (databaseUrl !== null) return `Drop the database, create it again, ${emptied}${again}`;
  const key = basename(keyFileIn(dataDir));
  const kept = keepFiles && !s3 ? `${key} and files` : key;
  return `Delete everything in ${dataDir} but ${kept}, ${s3 ? emptied : ''}${again}`;
}

async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  const names = await readdir(join(dataDir, 'postgres')).catch(() => []);
  return names.length > 0;
}

/** False as well for a database that cannot be started or asked: the checks that follow say why. */
async function isHalfRestored(config: Config, provide: typeof provideDatabase): Promise<boolean> {
  const database = await provide(config).catch(() => null);
  if (!database) return false;
  const pool = openPool(database.connection, () => {}, { max: 1 });
  try {
    return await isRestoreUnfinished(pool);
  } catch {
    return false;
  } finally {
    await pool.end();
    await database.release();
  }
}
