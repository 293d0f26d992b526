import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { type FileStore, openFileStore } from '../../server/files/file-store.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';

let folder: string;
let bucket: Bucket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-files-'));
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

function openStore(kind: string): Promise<FileStore> {
  if (kind === 'disk') return openFileStore(readConfig({ DATA_DIR: folder }));
  return openFileStore(readConfig(bucket.env));
}

/** Above 5 MiB, the size from which S3 uploads go in parts. */
const LARGE = Array.from({ length: 12 }, (_, n) => String(n % 10).repeat(1024 * 1024));

const MISSING = Readable.from(['missing']);

describe.each(['disk', 's3'])('the %s store', (kind) => {
  test('gives back what was written, lists it and removes it', async () => {
    const store = await openStore(kind);
    await store.write('exports/a.csv', Readable.from(['one,', 'two\n']));
    await store.write('exports/b.csv', Readable.from(['b']));
    expect(await text((await store.read('exports/a.csv')) ?? MISSING)).toBe('one,two\n');
    expect((await store.list('exports')).sort()).toEqual(['exports/a.csv', 'exports/b.csv']);
    await store.remove('exports/a.csv');
    await store.remove('exports/a.csv');
    expect(await store.read('exports/a.csv')).toBe(null);
    expect(await store.list('exports')).toEqual(['exports/b.csv']);
    expect(await store.list('nothing')).toEqual([]);
  });

  test('keeps large files whole', async () => {
    const store = await openStore(kind);
    await store.write('large/file.csv', Readable.from(LARGE, { objectMode: false }));
    expect((await text((await store.read('large/file.csv')) ?? MISSING)) === LARGE.join('')).toBe(true);
  });

  test('an empty file is a file', async () => {
    const store = await openStore(kind);
    await store.write('empty/file.csv', Readable.from([]));
    expect(await text((await store.read('empty/file.csv')) ?? MISSING)).toBe('');
  });

  test('nothing is left of a stream that breaks, early or late', async () => {
    const store = await openStore(kind);
    for (const chunks of [['a'], LARGE]) {
      const broken = Readable.from(
        (async function* () {
          yield* chunks;
          throw Object.assign(new Error('broken'), { code: 'EBROKEN' });
        })(),
        { objectMode: false },
      );
      await expect(store.write('broken/file.csv', broken)).rejects.toThrow('broken');
      expect(await store.read('broken/file.csv')).toBe(null);
      expect(await store.list('broken')).toEqual([]);
    }
  });

  test.each(['../secret.key', '/etc/passwd', 'exports/../../x', 'exports//x', '.hidden', 'A', 'a\0b', ''])(
    'refuses the name %j',
    async (name) => {
      const store = await openStore(kind);
      await expect(store.read(name)).rejects.toThrow('not allowed');
      await expect(store.write(name, Readable.from(['x']))).rejects.toThrow('not allowed');
      await expect(store.remove(name)).rejects.toThrow('not allowed');
    },
  );
});

test('a file being written on the disk is not there until it is complete', async () => {
  const store = await openStore('disk');
  const half = new Readable({ read() {} });
  half.push('half');
  const writing = store.write('slow/file.csv', half);
  await expect.poll(() => readdir(join(folder, 'files', 'slow')).catch(() => [])).toEqual(['file.csv.part']);
  expect(await store.read('slow/file.csv')).toBe(null);
  expect(await store.list('slow')).toEqual(['slow/file.csv']);
  half.push(null);
  await writing;
  expect(await readdir(join(folder, 'files', 'slow'))).toEqual(['file.csv']);
});

test.each(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('a bucket is closed to another %s', async (name) => {
  const own = await openStore('s3');
  await own.write('closed/file.csv', Readable.from(['x']));
  const store = await openFileStore(readConfig({ ...bucket.env, [name]: 'another' }));
  const refused = /signature|access key/i;
  await expect(store.read('closed/file.csv')).rejects.toThrow(refused);
  await expect(store.write('closed/other.csv', Readable.from(['x']))).rejects.toThrow(refused);
  await expect(store.list('closed')).rejects.toThrow(refused);
  await expect(store.remove('closed/file.csv')).rejects.toThrow(refused);
  expect(await own.list('closed')).toEqual(['closed/file.csv']);
});
