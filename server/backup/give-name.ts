import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, syncDirectory } from '../file-system.ts';

/** A file of that name exists already. */
export class FileExistsError extends Error {}

/**
 * Gives a finished file its name without replacing another file: unlike a renaming, a link fails when the name is taken.
 * @param addName for file systems with links
 * @throws FileExistsError
 */
export async function giveName(draft: string, path: string, addName = link): Promise<void> {
  try {
    await addName(draft, path).catch((error: unknown) => {
      if (hasCode(error, 'EEXIST')) throw error;
      return renameToFree(draft, path);
    });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new FileExistsError(`${path} is there already.`);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** For file systems without links: takes the name with an empty file, then replaces that. */
async function renameToFree(draft: string, path: string): Promise<void> {
  const taken = await open(path, 'wx', 0o600);
  await taken.close();
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}
