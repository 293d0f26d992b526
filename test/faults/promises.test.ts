import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** `path/of/a.test.ts` › “title”, “another title” */
const PROOF = /`(test\/[\w./-]+\.(?:test|fault)\.ts)`((?: › “[^”]+”|, “[^”]+”)+)/g;

test('every test that docs/promises.md names exists', async () => {
  const page = await readFile(resolve(ROOT, 'docs/promises.md'), 'utf8');
  const proofs = [...page.matchAll(PROOF)];
  expect(proofs.length).toBeGreaterThan(40);
  const missing: string[] = [];
  for (const [, file = '', titles = ''] of proofs) {
    const source = await readFile(resolve(ROOT, file), 'utf8').catch(() => '');
    for (const [, title = ''] of titles.matchAll(/“([^”]+)”/g))
      if (!source.includes(title)) missing.push(`${file} › ${title}`);
  }
  expect(missing).toEqual([]);
});

test('every promise names a test', async () => {
  const page = await readFile(resolve(ROOT, 'docs/promises.md'), 'utf8');
  const promises = page.split('\n').filter((line) => /^\| [A-Z]\d+ \|/.test(line));
  expect(promises.length).toBeGreaterThan(40);
  expect(promises.filter((line) => !line.match(PROOF))).toEqual([]);
});
