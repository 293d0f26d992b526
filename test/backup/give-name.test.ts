import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileExistsError, giveName } from '../../server/backup/give-name.ts';

/** The error of file systems without hard links: FAT, many network shares. */
const noLinks = async () => {
  throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-name-'));
  await writeFile(join(folder, 'draft'), 'new');
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['with links', undefined],
  ['without links', noLinks],
])('%s a backup gets its name, and replaces nothing that came meanwhile', async (_what, addName) => {
  const [draft, path] = [join(folder, 'draft'), join(folder, 'backup')];
  await writeFile(path, 'of somebody else');
  await expect(giveName(draft, path, addName)).rejects.toThrow(FileExistsError);
  expect(await readFile(path, 'utf8')).toBe('of somebody else');
  await rm(path);
  await giveName(draft, path, addName);
  expect(await readFile(path, 'utf8')).toBe('new');
});

test('a name that was taken for nothing is free again', async () => {
  const path = join(folder, 'backup');
  await expect(giveName(join(folder, 'gone'), path, noLinks)).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual(['draft']);
});
