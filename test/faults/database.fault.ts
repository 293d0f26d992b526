import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { balance } from './ledger.ts';
import { type Load, startLoad } from './load.ts';
import { report } from './outcome.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { fill, removeDisk, smallDisk } from './small-disk.ts';
import { makeWorld, type World } from './world.ts';

/** The operator's PostgreSQL in trouble: answers are 200 or 503, no acknowledged submission is lost, all recovers by itself. */
const SECRET = 'a secret of the faults';
/** Every answer comes within this time, whatever the database does. */
const LONGEST_MS = 7_000;
const RECOVERY_LIMIT_MS = 15_000;

let cluster: Cluster;
let installation: Installation;
let service: ServiceProcess;
let recorder: Recorder;
let world: World;
let integrationId: number;
let load: Load;
const url = () => service.url;

beforeEach(async () => {
  recorder = await startRecorder(SECRET);
});
afterEach(async () => {
  await load?.stop();
  await installation?.remove();
  await cluster?.remove();
  await recorder.close();
});

async function begin(options: { settings?: Record<string, string>; folder?: string } = {}): Promise<void> {
  cluster = await startCluster({ max_connections: '60', ...options.settings }, options.folder);
  installation = await install({ DATABASE_URL: cluster.url });
  service = await installation.start();
  world = await makeWorld(url);
  integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  load = startLoad({ url, slug: world.form.slug, longestMs: LONGEST_MS });
  await until(() => load.acknowledged.size > 100, { withinMs: 30_000 });
}

async function settle(
  context: TestContext,
  id: string,
  fault: string,
  endedAt: number,
  seen?: string,
): Promise<void> {
  await until(() => Number.isFinite(load.recoveredAfter(endedAt)), {
    withinMs: RECOVERY_LIMIT_MS,
    what: `recovery: ${service.output().slice(-2_000)}`,
  });
  const recoveredMs = load.recoveredAfter(endedAt);
  expect(service.isRunning()).toBe(true);
  const ready = async () => (await fetch(`${service.url}/readyz`)).status === 200;
  await until(ready, { what: 'readiness' });
  await load.stop();
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  const refused = load.statuses.get(503) ?? 0;
  const told = `${refused} times 503, the longest answer ${(load.longestMs() / 1000).toFixed(1)} s`;
  report(context, {
    id,
    fault,
    ...figures,
    recoveredMs,
    seen: seen === undefined ? told : `${told}; ${seen}`,
  });
}

test('a PostgreSQL that is restarted in the middle of everything', async (context) => {
  await begin();
  for (let round = 0; round < 4; round++) {
    await cluster.stop(round % 2 ? 'SIGINT' : 'SIGQUIT');
    await pause(3_000);
    expect(service.isRunning()).toBe(true);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    await cluster.start();
    const startedAt = performance.now();
    await until(() => Number.isFinite(load.recoveredAfter(startedAt)), { withinMs: RECOVERY_LIMIT_MS });
  }
  await cluster.stop('SIGQUIT');
  await pause(5_000);
  await cluster.start();
  await settle(context, 'F5', 'PostgreSQL stopped at once and started again, 5 times', performance.now());
});

test('a PostgreSQL all of whose processes are killed', async (context) => {
  await begin();
  for (let round = 0; round < 3; round++) {
    await cluster.killAll();
    await pause(1_000);
    await cluster.start();
    const startedAt = performance.now();
    await until(() => Number.isFinite(load.recoveredAfter(startedAt)), { withinMs: RECOVERY_LIMIT_MS });
  }
  await cluster.killAll();
  await cluster.start();
  await settle(context, 'F6', 'all processes of PostgreSQL killed with SIGKILL, 4 times', performance.now());
});

test('an idle connection whose server process is killed', async (context) => {
  await begin();
  for (let round = 0; round < 3; round++) {
    const [idle] = await cluster.admin(
      `select pid from pg_stat_activity where usename = 'app' and state = 'idle' order by random() limit 1`,
    );
    process.kill(idle.pid, 'SIGKILL');
    // PostgreSQL notices, ends all its processes, and recovers.
    await pause(1_000);
    await until(
      () =>
        cluster.admin('select 1').then(
          () => true,
          () => false,
        ),
      { withinMs: 20_000 },
    );
    await pause(500);
  }
  await settle(context, 'F7', 'server process of an idle connection killed, 3 times', performance.now());
});

test('connections that are cut every second', async (context) => {
  await begin();
  for (let second = 0; second < 15; second++) {
    await cluster.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`);
    await pause(1_000);
  }
  await settle(context, 'F8', 'all connections cut, 15 times in 15 s', performance.now());
});

test('connection slots that are used up', async (context) => {
  await begin({ settings: { max_connections: '25', superuser_reserved_connections: '3' } });
  const hogs: pg.Client[] = [];
  await cluster.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`);
  for (let n = 0; n < 25; n++) {
    const hog = new pg.Client({ ...cluster.connection, user: 'app' });
    hog.on('error', () => {});
    await hog.connect().then(
      () => hogs.push(hog),
      () => {},
    );
  }
  expect(hogs.length).toBeGreaterThan(10);
  await cluster.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and application_name = 'formstead'`,
  );
  await pause(8_000);
  await Promise.all(hogs.map((hog) => hog.end()));
  await settle(context, 'F9', 'all connection slots taken by others for 8 s', performance.now());
});

test('a frozen PostgreSQL', async (context) => {
  await begin();
  cluster.signalAll('SIGSTOP');
  await pause(6_000);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  await pause(20_000);
  const memory = await service.memory();
  cluster.signalAll('SIGCONT');
  await settle(
    context,
    'F10',
    'PostgreSQL frozen (SIGSTOP) for 26 s',
    performance.now(),
    `${Math.round(memory / 1e6)} MB resident`,
  );
});

test('a lock on the table of submissions', async (context) => {
  await begin();
  const locker = new pg.Client(cluster.connection);
  await locker.connect();
  await locker.query('begin; lock table submissions in access exclusive mode');
  await pause(12_000);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  await locker.query('rollback');
  const endedAt = performance.now();
  await locker.end();
  await settle(context, 'F11', 'table of submissions locked for 12 s', endedAt);
});

test('a data directory on a full disk', async (context) => {
  const folder = await smallDisk(context, 220);
  try {
    await begin({ folder, settings: { max_wal_size: '64MB', min_wal_size: '32MB', wal_keep_size: '0' } });
    // Made while the disk has room for it.
    const other = await world.aForm();
    const filler = join(folder, 'filler');
    for (let piece = 0; piece < 3; piece++) await fill(folder, `${filler}-${piece}`);
    // Inserts need new disk space only now and then, so large answers are sent until one is refused.
    const large = 'x'.repeat(90_000);
    const refused = async () => {
      const [answer] = await Promise.all(
        Array.from({ length: 8 }, () => world.call('POST', `/forms/${other.slug}/answer`, answerOf(large))),
      );
      expect([200, 503]).toContain(answer?.status);
      return answer?.status === 503;
    };
    await until(refused, { withinMs: 60_000, what: 'a full disk' });
    await pause(3_000);
    for (let piece = 0; piece < 3; piece++) await rm(`${filler}-${piece}`, { force: true });
    const endedAt = performance.now();
    // PostgreSQL stops when it cannot even write its own log; an operator then starts it again.
    const isAlive = await cluster.admin('select 1').then(
      () => true,
      () => false,
    );
    if (!isAlive) await cluster.start();
    await settle(
      context,
      'F12',
      'disk of PostgreSQL full',
      endedAt,
      isAlive ? 'no restart' : 'PostgreSQL started again',
    );
  } finally {
    await load?.stop();
    await installation?.remove();
    await cluster?.remove();
    await removeDisk(folder);
  }
});

test('transactions the database calls off', async (context) => {
  await begin();
  await cluster.admin(`alter role app set default_transaction_isolation = 'serializable'`);
  await cluster.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`);
  const second = await installation.start();
  try {
    let turn = 0;
    const both = startLoad({
      url: () => (turn++ % 2 ? service.url : second.url),
      slug: world.form.slug,
      writers: 8,
    });
    await pause(8_000);
    await both.stop();
    expect(both.oddities).toEqual([]);
    for (const [key, text] of both.sent) load.sent.set(key, text);
    for (const [key, told] of both.acknowledged) load.acknowledged.set(key, told);
    const refused = both.statuses.get(503) ?? 0;
    await settle(
      context,
      'F14',
      'serializable isolation, two processes on one form for 8 s',
      performance.now(),
      `${both.acknowledged.size} stored, ${refused} times 503`,
    );
  } finally {
    await second.end('SIGTERM');
  }
});

function answerOf(text: string) {
  return { '3700d380-0000-4000-8000-000000000001': text };
}
