import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { aStuckJob } from '../setup/stuck-job.ts';
import { createTestDatabase } from '../setup/test-database.ts';
import { until } from '../setup/until.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');

const running: ChildProcess[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(running.map(stop));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** What these starts wait for takes no processor, so they wait side by side. */
describe.concurrent('a start that cannot succeed', () => {
  test('a port that is taken ends the start with one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const child = await serve({ PORT: String(port) });
    const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
    taken.close();
    expect(text).toBe(`Something else listens on 127.0.0.1:${port} already. Set PORT to another port.\n`);
    expect(code).toBe(1);
  });

  test('a database that does not answer is waited for, then ends the start with one line', async () => {
    const child = await serve({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
    expect(text).toMatch(
      /^The database does not answer yet; waiting for it …\nThe database does not answer: .+\n$/,
    );
    expect(code).toBe(1);
  });

  test('a database that speaks no TLS, and a certificate that is not there, end the start at once with one line', async () => {
    // The answer of a PostgreSQL without TLS.
    const plain = createServer((client) => void client.once('data', () => client.write('N')));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as { port: number };
    const url = `postgres://formstead:secret@127.0.0.1:${port}/formstead?sslmode=require`;
    const refusal = async (DATABASE_URL: string) => {
      const child = await serve({ DATABASE_URL });
      const [text] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
      return text;
    };
    expect(await refusal(url)).toBe(
      'The database does not answer: The server does not support SSL connections.\n',
    );
    const missing = '/nowhere/ca.pem';
    expect(await refusal(`${url}&sslrootcert=${missing}`)).toBe(`There is no file ${missing}.\n`);
    plain.close();
  });

  test('a database that fails at the last moment ends the start as well, and nothing of it goes on', async () => {
    const database = await createTestDatabase();
    const { host, port, user, database: name } = database.connection as Record<string, string>;
    const other = new pg.Client(database.connection);
    await other.connect();
    try {
      await other.query('begin; lock table graphile_worker._private_jobs in access exclusive mode');
      const url = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${name}`;
      const child = await serve({ DATABASE_URL: url });
      const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
      expect(text).toMatch(/^The database does not answer: .+\n$/);
      expect(code).toBe(1);
    } finally {
      await other.end();
      await database.drop();
    }
  });

  test('a bad setting ends the start with one line that says what to write', async () => {
    const child = await serve({ ROLES: 'everything' });
    const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
    expect(text).toBe('ROLES must be `http`, `worker` or `http,worker`.\n');
    expect(code).toBe(1);
  });
});

describe('a service with an embedded PostgreSQL', () => {
  let dataDir: string;
  let service: Awaited<ReturnType<typeof serve>>;
  let url: string;
  beforeAll(async () => {
    dataDir = await aFolder();
    const ofOthers = { PGSSLMODE: 'require', PGHOST: 'db.example.org', PGPORT: '1', PGDATABASE: 'other' };
    service = await serve({ DATA_DIR: dataDir, BASE_URL: 'https://forms.example.org/', ...ofOthers });
  });
  afterAll(() => stop(service));

  test('the ready line names the public address and the port that was picked', async () => {
    const [line] = await once(createInterface({ input: service.stdout }), 'line');
    [, url = ''] =
      /^Formstead is ready at https:\/\/forms\.example\.org \(listens on (http:\S+), webhooks reach public addresses and 127\.0\.0\.0\/8, ::1\/128\)\.$/.exec(
        line,
      ) ?? [];
    expect(url, line).not.toBe('');
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  test('settings of the environment for clients of another PostgreSQL are not for the embedded one', async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('a second start on the same data says that one is running', async () => {
    const second = await serve({ DATA_DIR: dataDir });
    const [text, [code]] = await Promise.all([textOf(second.stderr), once(second, 'exit')]);
    expect(text).toBe(`Another Formstead (pid ${service.pid}) is running on ${dataDir}.\n`);
    expect(code).toBe(1);
  });

  test('the log of the embedded PostgreSQL begins anew when it is long, also while the service runs for ever', async () => {
    const log = join(dataDir, 'postgres', 'postgres.log');
    const long = Buffer.alloc(11 * 1024 * 1024, 'long\n');
    await appendFile(log, long);
    await until(async () => (await stat(log)).size < long.length, { what: 'a new log' });
    expect((await stat(`${log}.old`)).size).toBeGreaterThanOrEqual(long.length);
    const client = new pg.Client((await runningEmbeddedPostgres(dataDir)) ?? {});
    await client.connect();
    await expect(client.query('select nonsense')).rejects.toThrow();
    await client.end();
    await until(async () => /^2.*nonsense/m.test(await readFile(log, 'utf8')), { what: 'a line' });
    expect(await readFile(log, 'utf8')).not.toContain('\0');
  });

  test('an embedded PostgreSQL that dies is started again under the running service', async () => {
    const pidFile = join(dataDir, 'postgres', '18', 'postmaster.pid');
    const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
    await until(async () => !(await isReady()), { what: 'noticing the loss' });
    await until(isReady, { what: 'the recovery' });
    expect(service.exitCode).toBeNull();
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'a disk without room for the log ends neither the start nor the service',
  async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    free.close();
    const full = await open('/dev/full', 'w');
    const service = await serve({ PORT: String(port), LOG_LEVEL: 'trace' }, full.fd);
    const url = `http://127.0.0.1:${port}`;
    await until(() => answers(url), { what: 'the start' });
    for (let count = 0; count < 20; count++) expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect(service.exitCode).toBeNull();
    await full.close();
  },
);

test('a second signal ends a stop that waits for a job, after the database', async () => {
  const dataDir = await aFolder();
  const service = await serve({ DATA_DIR: dataDir });
  const url = await ready(service);
  const connection = await runningEmbeddedPostgres(dataDir);
  const job = await aStuckJob(connection ?? {});
  service.kill('SIGTERM');
  await until(async () => !(await answers(url)), { what: 'the end of the HTTP side' });
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
  await job.free();
  expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
  expect(await readdir(dataDir)).not.toContain('formstead.pid');
});

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/livez`).then(
    () => true,
    () => false,
  );
}

/** On an empty folder, unless one is named. */
async function serve(
  env: Record<string, string>,
  output: 'pipe' | number = 'pipe',
): Promise<ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream }> {
  const { DATABASE_URL: _, BASE_URL: __, ...rest } = process.env;
  const dataDir = env.DATA_DIR ?? (await aFolder());
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...rest, PORT: '0', LOG_LEVEL: 'silent', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', output, output],
  });
  running.push(child);
  return child as Awaited<ReturnType<typeof serve>>;
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-serve-'));
  folders.push(folder);
  return folder;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM'))
    await once(child, 'exit');
}

/** @returns the address where the service listens */
async function ready(service: { stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url !== undefined) {
      service.stdout.resume();
      return url;
    }
  }
  throw new Error('The service ended before it was ready.');
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
