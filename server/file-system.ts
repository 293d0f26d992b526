import { mkdir, open, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and its parents. Node's own `recursive` never ends where a parent accepts no directories, as in
 * /proc.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const problem = await tryToMake(path, mode);
  if (problem === null) return;
  if (problem.code !== 'ENOENT' || dirname(path) === path) throw problem;
  await makeDirectory(dirname(path), mode);
  const again = await tryToMake(path, mode);
  if (again) throw again;
}

/** @returns null when the directory exists now */
async function tryToMake(path: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST' && (await stat(path).catch(() => null))?.isDirectory() === true;
    return isThere ? null : (error as NodeJS.ErrnoException);
  }
}

/** Makes creations, renamings and removals in a directory survive a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

/** Bytes of the disk that holds a directory; null where they are unknown. */
export async function spaceOf(path: string): Promise<{ free: number; total: number } | null> {
  const disk = await statfs(path).catch(nullWhenMissing);
  // Some file systems without a disk report zero.
  if (!disk || disk.blocks === 0) return null;
  return { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

/** For `catch`: null when a file or directory is missing; rethrows every other error. */
export function nullWhenMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}

/** Whether this is the operating system's error `code`, such as `EEXIST`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
