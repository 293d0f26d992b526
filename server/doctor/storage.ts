import { randomUUID } from 'node:crypto';
import { lstat, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { nullWhenMissing } from '../file-system.ts';
import { type FileStore, openFileStore } from '../files/file-store.ts';
import { type Check, fail, ok, type Verdict, warn } from './finding.ts';
import { inBytes } from './sizes.ts';

/** A disk with less free space, in bytes, is nearly full. */
const LITTLE_SPACE = 1e9;
const NO_SPACE = 1e8;

export function storageChecks(config: Config): Check[] {
  const { dataDir, databaseUrl, secretKey, s3 } = config;
  const isUsed = databaseUrl === null || secretKey === null || s3 === null;
  const onDisk: Check[] = [
    {
      name: 'DATA_DIR',
      mend: `Give ${dataDir} to the user of the service (chown -R), or set DATA_DIR to another directory.`,
      examine: () => writable(dataDir),
    },
    {
      name: 'disk space',
      mend: 'Set DATA_DIR to a directory that can be read.',
      examine: async () => space(await freeBytes(dataDir)),
    },
  ];
  const inBucket: Check = {
    name: 'bucket',
    mend: 'Check S3_BUCKET, S3_REGION, S3_ENDPOINT and the keys, which must allow to put, get and delete objects.',
    examine: () => storeAndRead(config),
  };
  return [...(isUsed ? onDisk : []), ...(s3 ? [inBucket] : [])];
}

/** Writes beside the data, never into it: a folder made there by another user would be in the service's way. */
async function writable(dataDir: string): Promise<Verdict> {
  const found = await lstat(dataDir).catch(nullWhenMissing);
  if (!found)
    return warn(
      `${dataDir} is not there yet`,
      'The first start makes it. If it should be there, set DATA_DIR as the service does.',
    );
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, 'x', { mode: 0o600, flush: true });
  } catch (error) {
    return whyNotWritten(error, dataDir);
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
  return ok(`${dataDir} can be written`);
}

/** @throws errors with the usual remedy */
export function whyNotWritten(error: unknown, dataDir: string): Verdict {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EROFS')
    return fail(
      `${dataDir} is on a read-only disk`,
      'Make it writable, or set DATA_DIR to another directory.',
    );
  if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error;
  return fail(
    `${dataDir} cannot be written: the disk, or the share of this user, is full`,
    'Free some space.',
  );
}

/** Free bytes of the disk that holds the directory, or will. */
async function freeBytes(directory: string): Promise<number> {
  for (let place = directory; ; place = dirname(place)) {
    const disk = await statfs(place).catch(nullWhenMissing);
    if (disk) return disk.bavail * disk.bsize;
  }
}

export function space(bytes: number): Verdict {
  const found = `${inBytes(bytes)} free`;
  if (bytes >= LITTLE_SPACE) return ok(found);
  const mend = 'Free some space, or move DATA_DIR to a larger disk: on a full one submissions are refused.';
  return bytes < NO_SPACE ? fail(found, mend) : warn(found, mend);
}

async function storeAndRead(config: Config): Promise<Verdict> {
  const store = await openFileStore(config);
  const name = `doctor/${randomUUID()}`;
  await store.write(name, Readable.from([Buffer.from(name)]));
  const content = await readText(store, name).finally(() => store.remove(name));
  if (content === name) return ok('a file was written, read and removed');
  return fail('a file that was just written cannot be read', 'Use a bucket that is consistent at once.');
}

async function readText(store: FileStore, name: string): Promise<string | null> {
  const content = await store.read(name);
  return content && text(content);
}
