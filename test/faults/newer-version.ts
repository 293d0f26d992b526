import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A newer release, as far as the database goes: this checkout with one more migration, in its own folder. */
export async function makeNewerVersion(sql: string): Promise<{ root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'formstead-newer-'));
  for (const name of ['server', 'fields', 'migrations', 'dist', 'package.json', 'tsconfig.json'])
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'migrations', NEWER_MIGRATION), sql);
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

export const NEWER_MIGRATION = '9999_newer.sql';
