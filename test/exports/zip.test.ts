import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createZip } from '../../server/exports/zip.ts';
import { unzip } from './unzip.ts';

const LOCATOR_64 = Buffer.from('PK\x06\x07');

test('entries are read again, packed or not, whatever they hold and are called', async () => {
  const made: Buffer[] = [];
  const zip = createZip((bytes) => made.push(bytes));
  const entries: [string, string[], boolean][] = [
    ['empty.txt', [], false],
    ['files/7/ключ – 鍵 🔑.png', ['a', 'b'.repeat(200_000)], true],
    ['much.csv', ['name\n', 'Ada\n'.repeat(50_000)], false],
  ];
  for (const [name, parts, isPacked] of entries) {
    const entry = zip.open(name, isPacked);
    for (const part of parts) await entry.write(Buffer.from(part));
    await entry.close();
  }
  zip.end();
  const found = unzip(Buffer.concat(made));
  expect([...found].map(([name, content]) => [name, content.toString()])).toEqual(
    entries.map(([name, parts]) => [name, parts.join('')]),
  );
});

test.each([
  ['more entries', { bytes: 1_000_000, entries: 2 }],
  ['bytes before the last entries', { bytes: 100, entries: 100 }],
  ['bytes before the end', { bytes: 260, entries: 100 }],
])('%s than numbers have room for are told by ZIP64', async (_what, limits) => {
  const made: Buffer[] = [];
  const zip = createZip((bytes) => made.push(bytes), limits);
  const names = ['one', 'two', 'three'];
  for (const name of names) {
    const entry = zip.open(name, true);
    await entry.write(Buffer.from(name.repeat(10)));
    await entry.close();
  }
  zip.end();
  const archive = Buffer.concat(made);
  expect(archive.includes(LOCATOR_64)).toBe(true);
  expect([...unzip(archive)]).toEqual(names.map((name) => [name, Buffer.from(name.repeat(10))]));
});

test('what is kept of thousands of files is not what they held', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const content = randomBytes(60_000);
  const zip = createZip(() => {});
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 2_000; n++) {
    const entry = zip.open(`files/${n}/a.png`, true);
    await entry.write(content);
    await entry.close();
  }
  // 120 MB went through. A separate thread frees collected memory a moment later.
  const kept = () => {
    collect();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(kept).toBeLessThan(20_000_000);
  zip.end();
});
