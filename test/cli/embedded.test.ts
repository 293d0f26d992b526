import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { until } from '../setup/until.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const run = promisify(execFile);

let dataDir: string;
let env: NodeJS.ProcessEnv;
let running: ChildProcess | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-cli-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o755);
  // The test runner sets BASE_URL for its own use, to a value that is no address.
  const { DATABASE_URL: _, BASE_URL: __, ...rest } = process.env;
  env = { ...rest, DATA_DIR: dataDir, PORT: '0' };
});
afterAll(async () => {
  if (running?.exitCode === null && running.kill('SIGTERM')) await once(running, 'exit');
  await rm(dataDir, { recursive: true, force: true });
});

test('commands work before the service runs, while it runs and after it', async () => {
  const created = await formstead('user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
  expect(created.stdout).toMatch(/^Account created: ada@example\.com\nPassword: \S{20}\n$/);

  const { service, url } = await serve();
  const made = await formstead(
    ...['token', 'create', '--email', 'ada@example.com', '--name', 'CI', '--abilities', 'workspaces-read'],
  );
  expect(made).toEqual({ stdout: expect.stringMatching(/^fst_[0-9A-Za-z]{49}\n$/), stderr: '' });
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };
  expect((await fetch(`${url}/open/workspaces`, { headers })).status).toBe(200);
  await formstead('token', 'revoke', '1');
  expect((await fetch(`${url}/open/workspaces`, { headers })).status).toBe(401);
  service.kill('SIGTERM');
  await once(service, 'exit');

  expect((await formstead('token', 'list')).stdout.trim().split('\n')).toHaveLength(1);
  await expect(formstead('token', 'revoke', '1')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'There is no token 1.\n',
  });
  await expect(formstead('token', 'revoke')).rejects.toMatchObject({ code: 2 });
});

test('a command that is interrupted stops the database it has started', async () => {
  const fresh = join(dataDir, 'interrupted');
  // It first makes the database and all tables, which leaves time to interrupt it.
  const args = [MAIN, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada'];
  const command = spawn(process.execPath, args, { env: { ...env, DATA_DIR: fresh } });
  const exit = once(command, 'exit');
  await until(async () => (await runningEmbeddedPostgres(fresh)) !== null);
  command.kill('SIGINT');
  expect(await exit).toEqual([1, null]);
  expect(await readdir(join(fresh, 'postgres', '18'))).not.toContain('postmaster.pid');
  expect(await runningEmbeddedPostgres(fresh)).toBeNull();
});

test('a start that is interrupted stops the database, and the next one goes on', async () => {
  const fresh = join(dataDir, 'interrupted-start');
  const start = () => spawn(process.execPath, [MAIN, 'serve'], { env: { ...env, DATA_DIR: fresh } });
  const service = start();
  const exit = once(service, 'exit');
  await until(async () => (await runningEmbeddedPostgres(fresh)) !== null);
  service.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(await readdir(join(fresh, 'postgres', '18'))).not.toContain('postmaster.pid');
  expect(await readdir(fresh)).not.toContain('formstead.pid');

  const next = start();
  const ended = once(next, 'exit');
  const [line] = await once(createInterface({ input: next.stdout }), 'line');
  expect(line).toContain('is ready');
  next.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a command leaves the database it has started to another one that is still at work', async () => {
  const shared = join(dataDir, 'shared');
  const args = [MAIN, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada'];
  const command = spawn(process.execPath, args, { env: { ...env, DATA_DIR: shared } });
  const exit = once(command, 'exit');
  const connection = await until(() => runningEmbeddedPostgres(shared));
  const other = new pg.Client({ ...connection, application_name: 'formstead' });
  await other.connect();
  await until(async () => (await other.query("select to_regclass('users') as found")).rows[0].found);
  await until(async () => (await other.query('select from users')).rowCount);
  await other.query('select pg_sleep(1)');
  await other.end();
  expect(await exit).toEqual([0, null]);
  expect(await runningEmbeddedPostgres(shared)).toBeNull();
});

test('a database that somebody else asks to stop ends at once and is started again', async () => {
  const { service, url } = await serve();
  const pidFile = join(dataDir, 'postgres', '18', 'postmaster.pid');
  const pid = async () => Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  const before = await pid();
  process.kill(before, 'SIGTERM');
  await until(async () => ![0, before].includes(await pid()), { what: 'another server' });
  await until(async () => (await fetch(`${url}/readyz`)).status === 200, { what: 'a database that answers' });
  await formstead('token', 'list');
  service.kill('SIGTERM');
  await once(service, 'exit');
});

function formstead(...args: string[]) {
  return run(process.execPath, [MAIN, ...args], { env });
}

/** The service, once it has printed its address. */
async function serve(): Promise<{ service: ChildProcess; url: string }> {
  const service = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running = service;
  for await (const line of createInterface({ input: service.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url !== undefined && line.includes('ready')) {
      service.stdout.resume();
      return { service, url };
    }
  }
  throw new Error('The service ended before it was ready.');
}
