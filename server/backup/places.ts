import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { makeDirectory } from '../file-system.ts';
import type { S3Server } from '../settings/storage.ts';
import { bucketFolder, openBucketFolder } from './bucket-folder.ts';
import { FileExistsError } from './give-name.ts';
import { inTemporaryDirectory, removeIfOld } from './temporary.ts';

/** Names that backups are given. As their times are UTC, the order of names is that of time. */
const NAME = /^formstead-\d{8}T\d{6}Z\.tar\.gz$/;
/** What a process that was killed has left of a backup. */
const REST = /^formstead-\d{8}T\d{6}Z\.tar\.gz\.[0-9a-f]{8}\.part$/;

/** Where backups are put. */
interface BackupPlace {
  /**
   * Adds a backup: `make` writes it to a path on this machine, calls `keep` with it complete, and may then record it.
   * @param leaving ends the way to a bucket
   * @returns where it is: a path, or an address of a bucket
   */
  add(
    make: (path: string, keep: () => Promise<void>) => Promise<void>,
    leaving: AbortSignal,
  ): Promise<string>;
  /** null for a single file, which is nobody's folder. */
  folder: BackupFolder | null;
}

interface BackupFolder {
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/**
 * @param to a file, a directory, or a folder of a bucket (`s3://bucket/folder`); a directory that ends with a slash is made
 * when it is missing
 * @throws Error of the file system
 */
export async function openPlace(to: string, s3: S3Server): Promise<BackupPlace> {
  const inBucket = bucketFolder(to);
  if (inBucket !== null) return bucketPlace(await openBucketFolder(s3, inBucket));
  const path = resolve(to);
  if (to.endsWith(sep)) await makeDirectory(path, 0o700);
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ? directoryPlace(path) : { add: written(path), folder: null };
}

/**
 * Removes all backups of a folder but the newest `keep`, and what killed processes have left there.
 * @param added address of the one that was just made: it stays, also if the clock was ahead before
 * @returns the names of removed backups
 */
export async function removeOld(
  { list, remove }: BackupFolder,
  keep: number,
  added: string,
): Promise<string[]> {
  const others = (await list()).filter((name) => NAME.test(name) && !added.endsWith(`/${name}`)).sort();
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) await remove(name);
  return old;
}

function directoryPlace(path: string): BackupPlace {
  return {
    add: (make, leaving) => written(join(path, newName()))(make, leaving),
    folder: {
      async list() {
        const names = await readdir(path);
        for (const name of names.filter((name) => REST.test(name))) await removeIfOld(join(path, name));
        return names;
      },
      remove: (name) => rm(join(path, name), { force: true }),
    },
  };
}

function written(path: string): BackupPlace['add'] {
  return async (make) => {
    await make(path, async () => {});
    return path;
  };
}

function bucketPlace(bucket: Awaited<ReturnType<typeof openBucketFolder>>): BackupPlace {
  return {
    async add(make, leaving) {
      const name = newName();
      await inTemporaryDirectory(async (directory) => {
        const path = join(directory, name);
        await make(path, async () => {
          // A bucket would replace it. Whoever may only write is not told what is there.
          if ((await bucket.list().catch((): string[] => [])).includes(name))
            throw new FileExistsError(`${bucket.addressOf(name)} is there already.`);
          const { size } = await stat(path);
          await bucket.write(name, createReadStream(path, { signal: leaving }), size);
        });
      });
      return bucket.addressOf(name);
    },
    folder: bucket,
  };
}

function newName(): string {
  const moment = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `formstead-${moment}Z.tar.gz`;
}
