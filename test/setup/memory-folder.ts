import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** What the databases and files of a whole run may need at a time, and as much again for everything else. */
const ROOM_BYTES = 8 * 1024 ** 3;

/**
 * Puts temporary files of this run into memory, where there is room: the tests make hundreds of databases and write many
 * thousand files, which takes a multiple of the processor time on a disk. `TMPDIR` names another place.
 */
export function keepInMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return;
  removeLeftovers();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES) return;
  const folder = join(MEMORY, `formstead-${process.pid}`);
  mkdirSync(folder);
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** A run that was killed leaves its folder, and so less memory for all others. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^formstead-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
