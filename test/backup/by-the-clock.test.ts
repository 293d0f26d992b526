import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkArchive } from '../../server/backup/read-archive.ts';
import { backup as verdict } from '../../server/doctor/work.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';
import { until } from '../setup/until.ts';
import { anEmptyPlace, type Place } from './places.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const run = promisify(execFile);
const OLD = ['formstead-20200101T031500Z.tar.gz', 'formstead-20200102T031500Z.tar.gz'];
const REST = 'formstead-20200103T031500Z.tar.gz.0123abcd.part';
const OTHER = 'formstead-of-another-kind.tar.gz';

let folder: string;
let place: Place;
let running: ChildProcess | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-by-the-clock-'));
  place = await anEmptyPlace();
});
afterEach(async () => {
  if (running?.kill('SIGTERM')) await once(running, 'exit');
  running = null;
});
afterAll(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a process, without what concerns another installation. */
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { BASE_URL: _, SECRET_KEY: __, ...rest } = process.env;
  return { ...rest, ...place.env, PORT: '0', LOG_LEVEL: 'info', ...settings };
}

/** A service as `npm start` runs it. @returns its address and what it has written so far */
async function serve(settings: Record<string, string>) {
  running = spawn(process.execPath, [MAIN, 'serve'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const service = { url: '', log: '' };
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (text) => {
      service.log += text;
    });
  await until(() => /ready/.test(service.log));
  // What it plans as it starts would take the place of a turn that a test asks for before.
  await until(async () => {
    const { rows } = await place.query(
      `select from graphile_worker.jobs where task_identifier = 'make_backup'`,
    );
    return rows.length > 0;
  });
  service.url = /http:\/\/[\d.]+:\d+/.exec(service.log)?.[0] ?? '';
  return service;
}

/** Backups are named by the second, and do not replace each other. */
const nextSecond = () => pause(1_000 - (Date.now() % 1_000));

/** Does at once what the queue does when the minute has come. */
async function turn(): Promise<void> {
  await place.query(
    `select graphile_worker.add_job('make_backup', job_key => 'make_backup', max_attempts => 1)`,
  );
  await until(async () => {
    const { rows } = await place.query(
      `select from graphile_worker.jobs
       where task_identifier = 'make_backup' and attempts < max_attempts and run_at <= now() or locked_at is not null`,
    );
    return rows.length === 0;
  });
}

test('a backup is made when its time has come, once a day; the newest are kept', async () => {
  const backups = join(folder, 'backups');
  // Where a file stands, no directory can be made.
  await writeFile(backups, '');
  const service = await serve({ BACKUP_TO: backups, BACKUP_KEEP: '2' });
  await turn();
  await until(() => service.log.includes(`The backup cannot be written to ${backups}`));
  await rm(backups);

  await turn();
  const [first = ''] = await readdir(backups);
  expect(first).toMatch(/^formstead-\d{8}T\d{6}Z\.tar\.gz$/);
  expect((await checkArchive(join(backups, first))).header.key).toBe('included');
  await until(() => service.log.includes(join(backups, first)));
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
    /^formstead_last_backup_age_seconds \d/m,
  );

  for (const name of [...OLD, REST, OTHER]) await writeFile(join(backups, name), 'x');
  await utimes(join(backups, REST), 0, 0);
  await turn();
  expect(await readdir(backups)).toHaveLength(5);

  await place.query(`update backups set taken_at = taken_at - interval '1 day'`);
  await nextSecond();
  await turn();
  const names = (await readdir(backups)).sort();
  expect(names).toHaveLength(3);
  expect(names).toContain(first);
  expect(names).toContain(OTHER);

  // Made while the clock was ahead.
  const later = ['formstead-20990101T031500Z.tar.gz', 'formstead-20990102T031500Z.tar.gz'];
  for (const name of later) await writeFile(join(backups, name), 'x');
  await place.query(`update backups set taken_at = taken_at - interval '2 days'`);
  await place.query(
    `insert into backups (taken_at, bytes, files_missing) values (now() + interval '1 year', 1, 0)`,
  );
  const diagnosis = async () => {
    const env = environment({ BACKUP_TO: backups, LOG_LEVEL: 'silent' });
    const { stdout } = await run(process.execPath, [MAIN, 'doctor', '--json'], { env }).catch(
      (failure) => failure,
    );
    return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'backup');
  };
  expect(await diagnosis()).toMatchObject({ status: 'warn', found: 'the last one is 2 days old' });
  await nextSecond();
  await turn();
  expect(await diagnosis()).toMatchObject({ status: 'ok' });
  const [latest = ''] = (await readdir(backups)).filter((name) => !later.includes(name) && name !== OTHER);
  expect((await checkArchive(join(backups, latest))).header.key).toBe('included');
});

describe('in a bucket', () => {
  let bucket: Bucket;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    bucket = await startBucket('vault');
    const { S3_BUCKET: _, ...server } = bucket.env;
    env = environment({ ...server, BACKUP_TO: 's3://vault/forms/daily', LOG_LEVEL: 'silent' });
    // Makes the tables, and files on disk.
    await run(process.execPath, [MAIN, 'migrate'], { env });
  });
  afterAll(() => bucket.close());

  const formstead = (...args: string[]) =>
    run(process.execPath, [MAIN, ...args], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout.trim(), err: stderr.trim() }),
      ({ code, stdout, stderr }) => ({ code, out: stdout.trim(), err: stderr.trim() }),
    );

  test('backups go there and come back from there, and the newest are kept', async () => {
    const first = await formstead('backup', '--keep', '2');
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^s3:\/\/vault\/forms\/daily\/formstead-\w+\.tar\.gz$/),
    });
    await nextSecond();
    await formstead('backup', '--keep', '2');
    await nextSecond();
    const last = await formstead('backup', '--keep', '2', '--without-key');
    expect(last.err).toContain('removed formstead-');
    expect(await formstead('restore', '--check', first.out)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no ${first.out}.`),
    });
    expect((await formstead('restore', '--check', last.out)).out).toContain('is complete');

    const other = await anEmptyPlace();
    try {
      env = { ...env, ...other.env };
      expect(await formstead('restore', '--without-key', last.out)).toMatchObject({ code: 0 });
      const { rows } = await other.query('select count(*) from schema_migrations');
      expect(Number(rows[0].count)).toBeGreaterThan(0);
    } finally {
      env = { ...env, ...place.env };
      await other.remove();
    }
  });

  test('what is wrong is said in one line', async () => {
    const counted = async () => (await place.query('select from backups')).rowCount;
    const before = await counted();
    const missing = await formstead('backup', '--to', 's3://nowhere/forms');
    expect(missing).toMatchObject({ code: 1, out: '' });
    // The clock and the doctor look at what arrived.
    expect(await counted()).toBe(before);
    expect(missing.err).toMatch(/s3:\/\/nowhere\/forms takes no backup \(NoSuchBucket\): [^\n]+$/);
    for (const to of ['s3://vault', 's3://Vault/forms', 's3:/vault/forms', 's3://vault/a b'])
      expect((await formstead('backup', '--to', to)).err, to).toContain('s3://backups/formstead');
    expect((await formstead('backup', '--keep', '0')).err).toContain('--keep takes the number');
    expect((await formstead('backup', '--to', join(folder, 'a-file'), '--keep', '1')).err).toContain(
      '--keep needs --to with a directory',
    );
  });
});

test('the doctor misses a backup that is late', () => {
  const at = (hours: number) => ({ ageSeconds: hours * 3_600, missingFiles: 0 });
  expect(verdict(null, true).status).toBe('warn');
  expect(verdict(at(29), true).status).toBe('ok');
  expect(verdict(at(31), true).status).toBe('warn');
  expect(verdict(at(31), false).status).toBe('ok');
});
