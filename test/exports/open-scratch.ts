import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Databases that a process is making, as Linux tells of its open files: they have no name in their folder any more. */
export async function openScratch(dataDir: string, pid: number | 'self' = 'self'): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(scratchFolder(dataDir)));
}

/** What can be seen of them, which is nothing. */
export async function visibleScratch(dataDir: string): Promise<string[]> {
  return readdir(scratchFolder(dataDir)).catch(() => []);
}

export function scratchFolder(dataDir: string): string {
  return join(dataDir, 'unfinished');
}
