import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { openDiskStore } from './disk-store.ts';

/**
 * Keeps files by name. Names consist of lower-case letters, digits, `.`, `_` and `-`, in folders separated by `/`. A
 * file is there completely or not at all.
 */
export interface FileStore {
  /**
   * Resolves when the whole stream is stored durably. After a failure nothing is left under the name.
   * @param options.expectedBytes the approximate size; only needed for large files
   * @throws NoRoom when it is more than the store takes
   */
  write(name: string, content: Readable, options?: { expectedBytes?: number }): Promise<void>;
  /** null when there is no such file. @throws NoAnswer */
  read(name: string): Promise<Readable | null>;
  /** Removes the file and what an interrupted write may have left of it. @throws NoAnswer */
  remove(name: string): Promise<void>;
  /** Free and total bytes of the place where the files lie; null when unknown. */
  space(): Promise<{ free: number; total: number } | null>;
  /** Names of all files in a folder, including those of interrupted writes. */
  list(folder: string): Promise<string[]>;
}

const NAME = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** Opens the configured bucket, or else a folder of the data directory. */
export async function openFileStore(config: Config): Promise<FileStore> {
  if (!config.s3) return checkNames(openDiskStore(join(config.dataDir, 'files')));
  const { openS3Store } = await import('./s3-store.ts');
  return checkNames(openS3Store(config.s3));
}

/** Makes sure that no name leads out of the store. */
function checkNames(store: FileStore): FileStore {
  const checked = (name: string) => {
    if (!NAME.test(name)) throw new Error('A file name has characters that are not allowed.');
    return name;
  };
  return {
    write: async (name, content, options) => store.write(checked(name), content, options),
    read: async (name) => store.read(checked(name)),
    remove: async (name) => store.remove(checked(name)),
    list: async (folder) => store.list(checked(folder)),
    space: () => store.space(),
  };
}
