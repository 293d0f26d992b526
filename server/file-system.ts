import { mkdir, open, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a directory and those above it. Node's own `recursive` never ends where one takes no others, as in /proc. */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const problem = await tryToMake(path, mode);
  if (problem === null) return;
  if (problem.code !== 'ENOENT' || dirname(path) === path) throw problem;
  await makeDirectory(dirname(path), mode);
  const again = await tryToMake(path, mode);
  if (again) throw again;
}

/** @returns null when it is there now */
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

/** Makes what was created, renamed or removed in a directory survive a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

/** Bytes of the disk that holds a directory; null where nobody knows. */
export async function spaceOf(path: string): Promise<{ free: number; total: number } | null> {
  const disk = await statfs(path).catch(nullWhenMissing);
  // Some that are no disks say they have none.
  if (!disk || disk.blocks === 0) return null;
  return { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

/** For `catch`: null where a file or directory is not there; every other error stays one. */
export function nullWhenMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}

/** Whether the error is this one of the operating system, such as `EEXIST`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
