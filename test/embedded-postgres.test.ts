import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireDataDirectoryLock } from '../server/db/data-directory-lock.ts';
import { explainFailure } from '../server/db/embedded-error.ts';
import {
  type EmbeddedPostgres,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/db/embedded-postgres.ts';
import { inspectProcess } from '../server/db/processes.ts';

test.each([
  'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
  'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
])('that the disk is full is told whatever PostgreSQL says of it: %s', (said) =>
  expect(explainFailure(new Error(said), '/data').message).toBe(
    'The disk of /data is full: free some space and start again.',
  ),
);

const MODULES = join(import.meta.dirname, '..', 'server', 'db');

let dataDir: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-postgres-'));
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(directory = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(directory);
  servers.push(server);
  return server;
}

async function query(connection: EmbeddedPostgres['connection'], sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts another process that runs the script and stays; resolves with the first line it prints. */
async function runElsewhere(script: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout!);
  const [line] = await once(lines, 'line');
  return { child, line };
}

function startElsewhere() {
  return runElsewhere(`
    import { startEmbeddedPostgres } from '${MODULES}/embedded-postgres.ts';
    const server = await startEmbeddedPostgres(${JSON.stringify(dataDir)});
    console.log(JSON.stringify(server.connection));
    process.stdin.resume();
  `);
}

function lockElsewhere() {
  return runElsewhere(`
    import { acquireDataDirectoryLock } from '${MODULES}/data-directory-lock.ts';
    console.log(await acquireDataDirectoryLock(${JSON.stringify(dataDir)}).then(() => 'locked', (error) => error.message));
    process.stdin.resume();
  `);
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', '18', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

test('starts on an empty directory, stops, and keeps the data for the next start', async () => {
  const first = await start();
  expect(first.adopted).toBe(false);
  expect(first.connection).toMatchObject({ user: 'formstead', database: 'formstead' });
  expect(await runningEmbeddedPostgres(dataDir)).toEqual(first.connection);
  await query(first.connection, 'create table kept as select 7 as value');
  const settings = `select name || '=' || setting from pg_settings
    where name in ('fsync', 'listen_addresses', 'max_wal_size', 'server_encoding', 'data_checksums') order by name`;
  expect(await query(first.connection, settings)).toEqual([
    'data_checksums=on',
    'fsync=on',
    'listen_addresses=',
    'max_wal_size=1024',
    'server_encoding=UTF8',
  ]);
  await first.stop();
  expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
  expect(existsSync(join(dataDir, 'postgres', '18', 'postmaster.pid'))).toBe(false);

  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.connection, 'select value from kept')).toEqual([7]);
});

test('runs PostgreSQL as an unprivileged user, in a process group of its own', async () => {
  await start();
  const pid = await postmasterPid();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const uid = process.getuid!() === 0 ? 65534 : process.getuid!();
  expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}`, 'm'));
  const group = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')[2];
  expect(Number(group)).toBe(pid);
});

test('adopts the server of a killed service, and stops it in the end', async () => {
  const { child, line } = await startElsewhere();
  const connection = JSON.parse(line) as EmbeddedPostgres['connection'];
  await query(connection, 'create table kept as select 7 as value');
  await killAndWait(child);
  const pid = await postmasterPid();

  const adopter = await start();
  expect(adopter.adopted).toBe(true);
  expect(await postmasterPid()).toBe(pid);
  expect(await query(adopter.connection, 'select value from kept')).toEqual([7]);
  await adopter.stop();
  expect(inspectProcess(pid)?.zombie ?? true).toBe(true);
});

test('the database is created by one of those who find none, as the service and a command at the first start', async () => {
  const { connection } = await start();
  await query({ ...connection, database: 'postgres' as never }, 'drop database formstead');
  const found = await Promise.all(Array.from({ length: 6 }, () => runningEmbeddedPostgres(dataDir)));
  expect(found).toContainEqual(connection);
  expect(await query(connection, 'select 1')).toEqual([1]);
});

test('recovers after service and server were killed, losing nothing that was committed', async () => {
  const { child, line } = await startElsewhere();
  await query(JSON.parse(line), 'create table kept as select generate_series(1, 1000) as value');
  const pid = await postmasterPid();
  process.kill(pid, 'SIGKILL');
  await killAndWait(child);

  const recovered = await start();
  expect(recovered.adopted).toBe(false);
  expect(await query(recovered.connection, 'select count(*)::int from kept')).toEqual([1000]);
});

test('starts although postmaster.pid names a process that is something else by now', async () => {
  await (await start()).stop();
  const file = join(dataDir, 'postgres', '18', 'postmaster.pid');
  const { child } = await runElsewhere("console.log('here'); process.stdin.resume()");
  const socket = join(dataDir, 'postgres', 'socket');
  await writeFile(
    file,
    `${child.pid}\n${dataDir}/postgres/18\n1700000000\n5432\n${socket}\n\n  5432001         1\nready   \n`,
  );
  const server = await start();
  expect(server.adopted).toBe(false);
  expect(await query(server.connection, 'select 1')).toEqual([1]);
});

test('redoes an initdb that was interrupted', async () => {
  const server = await start();
  await server.stop();
  await rm(join(dataDir, 'postgres', '18'), { recursive: true });
  await mkdir(join(dataDir, 'postgres', '18.draft', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', '18.draft', 'PG_VERSION'), '18\n');
  expect(await query((await start()).connection, 'select 1')).toEqual([1]);
  expect(existsSync(join(dataDir, 'postgres', '18.draft'))).toBe(false);
});

test('works where the path of the data directory is too long for a socket', async () => {
  await rm(dataDir, { recursive: true });
  dataDir = await mkdtemp(join(tmpdir(), `formstead-postgres-${'x'.repeat(120)}-`));
  const server = await start();
  expect(server.connection.host.length).toBeLessThan(90);
  expect(await query(server.connection, 'select 1')).toEqual([1]);
  await server.stop();
  expect(existsSync(server.connection.host)).toBe(false);
});

test('says what to do about a directory that is not a cluster', async () => {
  await (await start()).stop();
  await rm(join(dataDir, 'postgres', '18', 'PG_VERSION'));
  await expect(start()).rejects.toThrow(
    /^\S+\/postgres\/18 is not a PostgreSQL cluster .*: restore it from a backup/,
  );
});

test('lets one process hold the data directory, and the next one after its release', async () => {
  const lock = await acquireDataDirectoryLock(dataDir);
  const message = `Another Formstead (pid ${process.pid}) is running on ${dataDir}.`;
  await expect(acquireDataDirectoryLock(dataDir)).rejects.toThrow(message);
  expect((await lockElsewhere()).line).toBe(message);
  await lock.release();
  expect((await lockElsewhere()).line).toBe('locked');
});

test('takes over the lock of a killed process', async () => {
  const { child, line } = await lockElsewhere();
  expect(line).toBe('locked');
  await expect(acquireDataDirectoryLock(dataDir)).rejects.toThrow(`(pid ${child.pid})`);
  await killAndWait(child);
  const lock = await acquireDataDirectoryLock(dataDir);
  await lock.release();
  expect(existsSync(join(dataDir, 'formstead.pid'))).toBe(false);
});

test('finds the holder in another container, where its pid means nothing', async () => {
  const { child, line } = await lockElsewhere();
  expect(line).toBe('locked');
  const file = join(dataDir, 'formstead.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  // The highest possible pid, which no process here has.
  await writeFile(file, [4_194_303, ...rest].join('\n'));
  await expect(acquireDataDirectoryLock(dataDir)).rejects.toThrow(
    'Another Formstead (pid 4194303) is running',
  );
  await killAndWait(child);
  const lock = await acquireDataDirectoryLock(dataDir);
  await lock.release();
  expect(await readdir(dataDir)).toEqual([]);
});

test('takes over a lock whose pid belongs to another process by now', async () => {
  await writeFile(join(dataDir, 'formstead.pid'), `${process.pid}\nanother-boot:1\n`);
  const lock = await acquireDataDirectoryLock(dataDir);
  await lock.release();
});

test('lets exactly one of many take over a stale lock', async () => {
  await writeFile(join(dataDir, 'formstead.pid'), `${process.pid}\nanother-boot:1\n`);
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, () => acquireDataDirectoryLock(dataDir)),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
