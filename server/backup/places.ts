import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { makeDirectory } from '../file-system.ts';
import type { S3Server } from '../settings/storage.ts';
import { bucketFolder, openBucketFolder } from './bucket-folder.ts';

/** Names that backups are given. As their times are UTC, the order of names is that of time. */
const NAME = /^formstead-\d{8}T\d{6}Z\.tar\.gz$/;
/** What a process that was killed has left of a backup. */
const REST = /^formstead-\d{8}T\d{6}Z\.tar\.gz\.[0-9a-f]{8}\.part$/;
const OLD_REST_MS = 24 * 3_600_000;

/** Where backups are put. */
export interface BackupPlace {
  /**
   * Lets `write` write a new backup to a path on this machine, and keeps it.
   * @returns where it is: a path, or an address of a bucket
   */
  add(write: (path: string) => Promise<void>): Promise<string>;
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
 * @returns the names of removed backups
 */
export async function removeOld({ list, remove }: BackupFolder, keep: number): Promise<string[]> {
  const names = (await list()).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await remove(name);
  return old;
}

function directoryPlace(path: string): BackupPlace {
  return {
    add: (write) => written(join(path, newName()))(write),
    folder: {
      async list() {
        const names = await readdir(path);
        for (const name of names.filter((name) => REST.test(name))) await removeRest(join(path, name));
        return names;
      },
      remove: (name) => rm(join(path, name)),
    },
  };
}

function written(path: string): BackupPlace['add'] {
  return async (write) => {
    await write(path);
    return path;
  };
}

/** Another process may be writing a younger one. */
async function removeRest(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs > OLD_REST_MS) await rm(path, { force: true });
}

function bucketPlace(bucket: Awaited<ReturnType<typeof openBucketFolder>>): BackupPlace {
  return {
    async add(write) {
      const name = newName();
      const directory = await mkdtemp(join(tmpdir(), 'formstead-backup-'));
      try {
        const path = join(directory, name);
        await write(path);
        const { size } = await stat(path);
        await bucket.write(name, createReadStream(path), size);
        return bucket.addressOf(name);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    folder: bucket,
  };
}

function newName(): string {
  const moment = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `formstead-${moment}Z.tar.gz`;
}
