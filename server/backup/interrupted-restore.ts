import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../config.ts';
import { openPool } from '../db/database.ts';
import { keyFileIn } from '../secret-box.ts';
import type { provideDatabase } from '../start/provide-database.ts';
import { EMBEDDED, RestoreRefused } from './empty-place.ts';
import { isDatabaseEmpty } from './queries.ts';
import { isRestoreUnfinished } from './restore-mark-queries.ts';

/**
 * Tells a place that an interrupted restore has left half filled from one that is in use. An embedded database is started to look.
 * @returns whether there is an embedded database that holds nothing yet, as a restore leaves it that is interrupted early
 * @throws RestoreRefused when it is half filled; the message says what to remove
 */
export async function refuseHalfRestored(
  config: Config,
  keepFiles: boolean,
  provide: typeof provideDatabase,
): Promise<boolean> {
  const isEmbedded = config.databaseUrl === null;
  if (isEmbedded && !(await hasEmbeddedDatabase(config.dataDir))) return false;
  const state = await stateOf(config, provide);
  if (state !== 'half filled') return isEmbedded && state === 'empty';
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
  const names = await readdir(join(dataDir, EMBEDDED)).catch(() => []);
  return names.length > 0;
}

/** What cannot be started or asked counts as in use: the checks that follow say why. */
async function stateOf(
  config: Config,
  provide: typeof provideDatabase,
): Promise<'empty' | 'half filled' | 'in use'> {
  const database = await provide(config).catch(() => null);
  if (!database) return 'in use';
  const pool = openPool(database.connection, () => {}, { max: 1 });
  try {
    if (await isRestoreUnfinished(pool)) return 'half filled';
    return (await isDatabaseEmpty(pool)) ? 'empty' : 'in use';
  } catch {
    return 'in use';
  } finally {
    await pool.end();
    await database.release();
  }
}
