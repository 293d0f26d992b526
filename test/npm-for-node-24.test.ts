import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const SHIM = resolve('scripts/npm-for-node-24.cjs');
/** Makes npm take the Node it runs on for an old one. */
const OLD_NODE = `
const value = 'v18.19.1';
Object.defineProperty(process, 'version', { value, configurable: true });
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: value.slice(1) } });`;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'formstead installation '));
  await writeFile(join(directory, 'old-node.cjs'), OLD_NODE);
  await mkdir(join(directory, 'newer'));
  const newer = { name: 'newer', version: '1.0.0', engines: { node: '>=22.12' } };
  await writeFile(join(directory, 'newer/package.json'), JSON.stringify(newer));
  await run('npm', ['pack', './newer'], { cwd: directory });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** @returns the names of the packages that npm installs with these files loaded into it */
async function installedWith(loaded: string[]): Promise<string[]> {
  const project = await mkdtemp(join(directory, 'project-'));
  const manifest = { name: 'project', optionalDependencies: { newer: 'file:../newer-1.0.0.tgz' } };
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  const options = loaded.map((file) => `--require ${JSON.stringify(file)}`).join(' ');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
    cwd: project,
    env: { ...process.env, NODE_OPTIONS: options },
  });
  return (await readdir(project)).includes('node_modules') ? readdir(join(project, 'node_modules')) : [];
}

test('an old Node leaves no package out that the installed one can use', async () => {
  const oldNode = join(directory, 'old-node.cjs');
  expect(await installedWith([oldNode])).not.toContain('newer');
  expect(await installedWith([oldNode, SHIM])).toContain('newer');
});
