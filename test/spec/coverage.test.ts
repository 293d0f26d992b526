import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** `file.test.ts` › title, as COVERAGE.md names a proof. */
const PROOF = /`([\w./-]+\.test\.ts)`((?: › “[^”]+”,?)*)/g;

test('every proof that COVERAGE.md names exists', async () => {
  const folder = new URL('.', import.meta.url);
  const text = await readFile(new URL('COVERAGE.md', folder), 'utf8');
  const proofs = [...text.matchAll(PROOF)];
  expect(proofs.length).toBeGreaterThan(100);
  const missing: string[] = [];
  for (const [, file = '', titles = ''] of proofs) {
    const source = await readFile(new URL(file, folder), 'utf8').catch(() => '');
    if (source === '') missing.push(file);
    for (const [, title = ''] of titles.matchAll(/“([^”]+)”/g))
      if (!source.includes(title)) missing.push(`${file} › ${title}`);
  }
  expect(missing).toEqual([]);
});

/** The tests about authorization are named as one group. */
test('every test file of this folder is named in COVERAGE.md', async () => {
  const folder = new URL('.', import.meta.url);
  const text = await readFile(new URL('COVERAGE.md', folder), 'utf8');
  const files = (await readdir(folder)).filter(
    (name) => name.endsWith('.test.ts') && !name.startsWith('authorization-'),
  );
  expect(files.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
