import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type pg from 'pg';
import { type Connection, openPool } from '../db/database.ts';
import type { BackupContent } from './format.ts';
import { FileExistsError, giveName } from './give-name.ts';
import { noteBackup } from './made-backups-queries.ts';
import { checkArchive } from './read-archive.ts';
import { type BackupSource, backupBytes } from './write-archive.ts';

export interface Backup extends BackupContent {
  path: string;
  /** Size of the file. */
  bytes: number;
}

interface Progress {
  /** Hears of it. */
  tell(line: string): void;
  /** Ends the backup like a failure. */
  leaving?: AbortSignal | undefined;
  /** Takes the complete file to where it is kept; only then it counts as a backup. */
  keep?: (() => Promise<void>) | undefined;
}

/**
 * Backs up a running or resting installation into one file. It gets its name once it is complete and has been read back;
 * a failed backup leaves nothing behind.
 * @throws FileExistsError, and errors of database, file store and disk
 */
export async function makeBackup(
  connection: Connection,
  source: Omit<BackupSource, 'client'>,
  path: string,
  { tell, leaving, keep }: Progress,
): Promise<Backup> {
  if (await stat(path).catch(() => null)) throw new FileExistsError(`${path} is there already.`);
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  const pool = openPool(connection, () => {}, { max: 2, statement_timeout: 0 });
  try {
    await write(pool, source, draft, { tell, leaving });
    tell('reading it back');
    const content = await checkArchive(draft, undefined, leaving);
    const { size } = await stat(draft);
    await giveName(draft, path);
    await keep?.();
    const { header, manifest } = content;
    const missingFiles = manifest.missing_files.count;
    await noteBackup(pool, { takenAt: header.taken_at, bytes: size, missingFiles });
    return { ...content, path, bytes: size };
  } finally {
    await rm(draft, { force: true });
    await pool.end();
  }
}

async function write(
  pool: ReturnType<typeof openPool>,
  source: Omit<BackupSource, 'client'>,
  draft: string,
  { tell, leaving: signal }: Progress,
): Promise<void> {
  const client = (await pool.connect()) as pg.PoolClient & Pick<pg.Client, 'end'>;
  // A statement that waits for a lock or the disk would hold up the end.
  const leave = () => void client.end();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    await pipeline(
      Readable.from(backupBytes({ ...source, client }, tell), { objectMode: false }),
      // Faster than PostgreSQL delivers on one core, and a third smaller than by the fastest strategy.
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
  } finally {
    signal?.removeEventListener('abort', leave);
    // Closing the connection ends the snapshot, whatever its state.
    client.release(true);
  }
}
