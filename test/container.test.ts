import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const [, command = '[]'] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
const [program, ...options] = JSON.parse(command) as string[];

let app: string;
let dataDir: string;
let service: ChildProcess | null = null;

beforeEach(async () => {
  app = await mkdtemp(join(tmpdir(), 'formstead-app-'));
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-data-'));
});

afterEach(async () => {
  if (service?.kill('SIGTERM')) await once(service, 'exit');
  for (const directory of [app, dataDir]) await rm(directory, { recursive: true, force: true });
});

test('the service of the image runs with the options of npm start', () => {
  const { start } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
  expect(program).toBe('node');
  expect(start).toContain(`node_modules/.bin/node ${options.join(' ')}`);
});

test('compose.yaml passes on every setting that may stand in .env', () => {
  const docs = readFileSync(join(ROOT, 'docs/self-hosting.md'), 'utf8');
  const [, sentence = ''] = /A file `\.env` beside it may set([^.]*)\./.exec(docs) ?? [];
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const passed = [...compose.matchAll(/^ +(\w+): \$\{(\w+):-[^}]*\}$/gm)].map(([, name, source]) => {
    expect(source).toBe(name);
    return name;
  });
  expect(passed).toEqual(named);
  expect(passed).toContain('S3_REGION');
});

test('what the image holds is all the service needs', async () => {
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) (\S+)$/gm)].flatMap(([, sources = '']) =>
    sources.split(' ').map((path) => path.replace('/app/', '')),
  );
  expect(copied).toContain('server');
  for (const path of copied) {
    const [from, to] = [join(ROOT, path), join(app, path)];
    await (path === 'node_modules' ? symlink(from, to) : cp(from, to, { recursive: true }));
  }
  const url = await serve();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<script');
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
});

test('the image takes a worker, which listens nowhere, for healthy, and a service that does not answer for ill', () => {
  const [, words = '[]'] = /^HEALTHCHECK .*? CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...check] = JSON.parse(words) as string[];
  const statusAs = (ROLES: string) =>
    spawnSync(process.execPath, check, { env: { PATH: process.env.PATH, PORT: '1', ROLES } }).status;
  expect(['worker', 'http', 'http,worker', ''].map(statusAs)).toEqual([0, 1, 1, 1]);
});

/** Starts the command of the image in the copy. @returns its address */
async function serve(): Promise<string> {
  const { DATABASE_URL: _, BASE_URL: __, ...rest } = process.env;
  const child = spawn(process.execPath, options, {
    cwd: app,
    env: { ...rest, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  service = child;
  const ended = once(child, 'exit').then(() => ['The service ended.']);
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const [, url = ''] = /ready at (\S+)/.exec(line) ?? [];
  expect(url, line).not.toBe('');
  return url;
}
