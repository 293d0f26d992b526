import { createWriteStream } from 'node:fs';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Server } from '../settings/storage.ts';
import { inTemporaryDirectory } from './temporary.ts';

/** `s3://`, the bucket, and at least one folder, so that nothing else in the bucket is taken for a backup. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})\/((?:[\w.-]+\/)*[\w.-]+)\/?$/;

interface BucketFolder {
  bucket: string;
  /** Without slashes at its ends. */
  folder: string;
}

/** A bucket that does not take or give a backup; the message is one line for the operator. */
export class BucketProblem extends Error {}

const MAX_REASON = 300;

/** What `s3://bucket/folder` names; null for a path. */
export function bucketFolder(address: string): BucketFolder | null {
  const [, bucket, folder] = ADDRESS.exec(address) ?? [];
  return bucket === undefined || folder === undefined ? null : { bucket, folder };
}

/** Whether a text is meant as an address of a bucket, right or wrong. */
export function isBucketAddress(text: string): boolean {
  return /^s3:/i.test(text);
}

/** A folder of a bucket that is not the one of files, on the same server and with the same keys. */
export async function openBucketFolder(s3: S3Server, { bucket, folder }: BucketFolder) {
  const { openS3Store } = await import('../files/s3-store.ts');
  const store = openS3Store({ ...s3, bucket });
  const start = `${folder}/`;
  const place = `s3://${bucket}/${folder}`;
  return {
    addressOf: (name: string) => `${place}/${name}`,
    write: (name: string, content: Readable, expectedBytes: number) =>
      named(`${place} takes no backup`, () => store.write(start + name, content, { expectedBytes })),
    read: (name: string) => named(`${place} cannot be read`, () => store.read(start + name)),
    remove: (name: string) =>
      named(`${place} lets no old backup be removed`, () => store.remove(start + name)),
    /** Names in the folder itself and below. */
    list: async () => {
      const names = await named(`${place} cannot be listed`, () => store.list(folder));
      return names.map((name) => name.slice(start.length));
    },
  };
}

async function named<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { name, message, code = name } = error as NodeJS.ErrnoException;
    const reason = (message || code).replace(/[\p{C}\s]+/gu, ' ').slice(0, MAX_REASON);
    throw new BucketProblem(`${what} (${code}): ${reason}`, { cause: error });
  }
}

/**
 * Brings a backup from a bucket to this machine for as long as `use` takes; a path is used as it is.
 * @throws BucketProblem, and errors of the disk
 */
export async function withLocalFile<Result>(
  address: string,
  s3: () => S3Server,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const found = bucketFolder(address);
  if (found === null) return use(address);
  const name = posix.basename(found.folder);
  const bucket = await openBucketFolder(s3(), { ...found, folder: posix.dirname(found.folder) });
  const content = await bucket.read(name);
  if (content === null) throw new BucketProblem(`There is no ${address}.`);
  return inTemporaryDirectory(async (directory) => {
    const path = join(directory, name);
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return use(path);
  });
}
