import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const STAMP = 'sources.sha256';
const BUILDER = 'scripts/build.ts';
const SETTINGS = [BUILDER, 'package-lock.json'];
const HOW = 'run `node scripts/prepare.mjs`';

/** The folders in dist/ that `scripts/build.ts` makes, and from which files. */
export const BUILT_FROM = {
  embed: ['server/public-pages/browser/embed*.ts'],
  worker: ['server/public-pages/browser/**/*.ts'],
  'public-pages': [
    'server/public-pages/browser/**/*.ts',
    'server/public-pages/styles/*.css',
    'fields/**/*.ts',
  ],
  dashboard: ['dashboard/**/*.{ts,tsx,css,html,svg,json}', 'fields/**/*.ts'],
} as const satisfies Record<string, readonly string[]>;

export type BuiltFolder = keyof typeof BUILT_FROM;

const FOLDERS = Object.keys(BUILT_FROM) as BuiltFolder[];

/** What browsers need was never built here; the message is one plain line that says what to do. */
export class NotBuiltError extends Error {
  constructor() {
    super(`The files for browsers are not built yet: ${HOW}.`);
  }
}

/** The file of a folder that tells what the folder was built from. */
export function stampIn(folder: string): string {
  return join(folder, STAMP);
}

/** The content of that file, if the folder were built now. */
export function fingerprintOf(name: BuiltFolder): string {
  const hash = createHash('sha256');
  const sources = globSync(BUILT_FROM[name], { cwd: ROOT }).sort();
  for (const file of [...sources, ...SETTINGS])
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Whether a folder was built from other files than those that are here. */
export function isOutdated(name: BuiltFolder): boolean {
  const stamp = stampIn(join(DIST, name));
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprintOf(name);
}

/**
 * What is wrong with what browsers get, in one line; null when nothing is. An image holds no sources, so there is nothing to compare.
 * @throws NotBuiltError
 */
export function complaintAboutBuiltFiles(): string | null {
  if (!FOLDERS.every((name) => existsSync(stampIn(join(DIST, name))))) throw new NotBuiltError();
  if (!existsSync(join(ROOT, BUILDER)) || !FOLDERS.some(isOutdated)) return null;
  return `Browsers get files of another version, because those in dist/ were not built from what is here: ${HOW} and start again.`;
}
