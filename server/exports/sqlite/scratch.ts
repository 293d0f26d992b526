import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { nullWhenMissing, spaceOf } from '../../file-system.ts';
import { needRoom } from '../../files/room.ts';

/** Where databases are made. */
export interface Scratch {
  folder: string;
  /** @param bytes written so far, as the file of the job will need as much again @throws NoRoom */
  needRoom(bytes?: number): Promise<void>;
}

/** Age at which a file in the folder is removed. Normally its name is there only for a moment. */
const LEFT_BEHIND_MS = 3_600_000;

export function scratchOf({ config, files }: Pick<Context, 'config' | 'files'>): Scratch {
  const folder = join(config.dataDir, 'unfinished');
  return {
    folder,
    async needRoom(bytes) {
      await needRoom({ space: () => spaceOf(config.dataDir) });
      await needRoom(files, bytes);
    },
  };
}

/** Removes the empty files of processes that were killed in that moment. */
export async function removeLeftBehind({ folder }: Scratch): Promise<void> {
  for (const name of (await readdir(folder).catch(nullWhenMissing)) ?? []) {
    const path = join(folder, name);
    const found = await stat(path).catch(nullWhenMissing);
    if (found && found.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}
