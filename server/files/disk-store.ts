import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeDirectory, nullWhenMissing, spaceOf, syncDirectory } from '../file-system.ts';
import type { FileStore } from './file-store.ts';

/** Suffix of a file while it is being written. */
const UNFINISHED = '.part';

/** Files below a folder of the disk, readable only by the user the process runs as. */
export function openDiskStore(root: string): FileStore {
  return {
    async write(name, content) {
      const path = join(root, name);
      try {
        await makeDirectory(dirname(path), 0o700);
        await pipeline(content, createWriteStream(path + UNFINISHED, { mode: 0o600, flush: true }));
        await rename(path + UNFINISHED, path);
        await syncDirectory(dirname(path));
      } catch (error) {
        content.destroy();
        await rm(path + UNFINISHED, { force: true }).catch(() => {});
        throw error;
      }
    },

    async read(name) {
      const file = await open(join(root, name)).catch(nullWhenMissing);
      return file?.createReadStream() ?? null;
    },

    async remove(name) {
      await rm(join(root, name), { force: true });
      await rm(join(root, name + UNFINISHED), { force: true });
    },

    space: () => spaceOf(root),

    async list(folder) {
      const entries = (await readdir(join(root, folder)).catch(nullWhenMissing)) ?? [];
      const names = entries.map((entry) => `${folder}/${entry}`.replace(/\.part$/, ''));
      return [...new Set(names)];
    },
  };
}
