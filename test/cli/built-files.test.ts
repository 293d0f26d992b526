import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUILT_FROM, type BuiltFolder, fingerprintOf, stampIn } from '../../server/built-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NOT_BUILT = 'The files for browsers are not built yet: run `node scripts/prepare.mjs`.\n';
const OUTDATED =
  'Browsers get files of another version, because those in dist/ were not built from what is here: run `node scripts/prepare.mjs` and start again.\n';
/** How a start on a database with a missing certificate ends. */
const NO_FILE = 'There is no file /nowhere/ca.pem.\n';
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing?sslmode=require&sslrootcert=/nowhere/ca.pem';

/** A checkout of its own, with what it was built from. */
let app: string;
beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'formstead-checkout-'));
  for (const path of ['bin', 'dashboard', 'dist', 'fields', 'migrations', 'scripts', 'server'])
    cpSync(join(ROOT, path), join(app, path), { recursive: true });
  for (const path of ['package.json', 'package-lock.json']) cpSync(join(ROOT, path), join(app, path));
  for (const name of Object.keys(BUILT_FROM) as BuiltFolder[])
    writeFileSync(stampIn(join(app, 'dist', name)), fingerprintOf(name));
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

/** @returns what the command says before it fails for want of a database */
function serve(program = 'server/cli/main.ts', command = 'serve'): string {
  const { BASE_URL: _, ...rest } = process.env;
  const env = { ...rest, DATABASE_URL, DATA_DIR: app, PORT: '0' };
  const { status, stderr } = spawnSync(process.execPath, [join(app, program), command], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  return stderr;
}

test('a service says at the start that browsers get what was built from other files, and starts', () => {
  expect(serve()).toBe(NO_FILE);
  const source = join(app, 'dashboard/main.tsx');
  const text = readFileSync(source, 'utf8');
  writeFileSync(source, `${text}\n`);
  const [line = '', ...others] = serve().split(/(?<=\n)/);
  expect(line).toBe(OUTDATED);
  expect(others.join('')).toBe(NO_FILE);
  writeFileSync(source, text);
  expect(serve()).toBe(NO_FILE);
});

test('npx formstead builds before it serves, and before no other command; what it cannot build is no reason to stay down', () => {
  const preparation = join(app, 'scripts/prepare.mjs');
  const text = readFileSync(preparation, 'utf8');
  writeFileSync(preparation, `console.log('Preparing.'); process.exit(1);`);
  const [line, ...others] = serve('bin/formstead.mjs').split(/(?<=\n)/);
  expect(line).toBe('Preparing.\n');
  expect(others.join('')).toBe(NO_FILE);
  expect(serve('bin/formstead.mjs', 'migrate')).toBe(NO_FILE);
  rmSync(dirname(preparation), { recursive: true });
  expect(serve('bin/formstead.mjs'), 'in an image').toBe(NO_FILE);
  mkdirSync(dirname(preparation));
  writeFileSync(preparation, text);
});

test('a service whose files for browsers were never built says in one line how that is done', () => {
  rmSync(join(app, 'dist/dashboard'), { recursive: true });
  expect(serve()).toBe(NOT_BUILT);
  rmSync(join(app, 'dist'), { recursive: true });
  expect(serve()).toBe(NOT_BUILT);
});
