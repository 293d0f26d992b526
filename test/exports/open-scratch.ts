import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The databases a process is making, by its list of open files on Linux: they no longer have a name in their folder. */
export async function openScratch(dataDir: string, pid: number | 'self' = 'self'): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(scratchFolder(dataDir)));
}

/** The files in that folder that can be seen; there should be none. */
export async function visibleScratch(dataDir: string): Promise<string[]> {
  return readdir(scratchFolder(dataDir)).catch(() => []);
}

export function scratchFolder(dataDir: string): string {
  return join(dataDir, 'unfinished');
}
