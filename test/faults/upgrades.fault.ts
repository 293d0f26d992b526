import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../setup/until.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { balance } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeNewerVersion, NEWER_MIGRATION } from './newer-version.ts';
import { report } from './outcome.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { makeWorld } from './world.ts';

/** Starts, stops and upgrades under load. */
const SECRET = 'a secret of the faults';
const KILLED_MIGRATORS = 12;
const RESTARTS = 10;

let cluster: Cluster;
let installation: Installation;
let recorder: Recorder;

beforeEach(async () => {
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, SECRET_KEY: 'ab'.repeat(32) });
  recorder = await startRecorder(SECRET);
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
  await recorder?.close();
});

/** The columns of the schema, in a fixed order. */
async function schema(): Promise<unknown[]> {
  return cluster.admin(
    `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  );
}

test('migrators killed at any moment leave nothing half done', async (context) => {
  const startedAt = performance.now();
  await installation.run(['migrate']);
  const undisturbedMs = performance.now() - startedAt;
  const whole = await schema();
  expect(whole.length).toBeGreaterThan(50);
  const again = async () => {
    await cluster.admin('drop schema public cascade');
    await cluster.admin('drop schema if exists graphile_worker cascade');
    await cluster.admin('create schema public authorization app');
  };
  await again();
  let interrupted = 0;
  for (let round = 0; round < KILLED_MIGRATORS; round++) {
    const child = installation.spawn(['migrate']);
    // Node.js needs the first third of that time to start.
    await pause(undisturbedMs * (0.3 + Math.random() * 0.8));
    if (child.exitCode === null) interrupted += 1;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const tables = await cluster.admin(
      `select to_regclass('public.submissions') is not null as stored, to_regclass('public.schema_migrations') is not null as noted`,
    );
    // The tables of a migration and the note that it was applied are written in one transaction.
    if (tables[0].stored) {
      const [{ count }] = await cluster.admin('select count(*)::int as count from schema_migrations');
      expect(count).toBeGreaterThan(0);
      await again();
    }
  }
  expect(interrupted).toBeGreaterThan(0);
  const last = await installation.run(['migrate']);
  expect(last.code, last.output).toBe(0);
  expect(await schema()).toEqual(whole);
  const service = await installation.start();
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  report(context, {
    id: 'F32',
    fault: `${interrupted} migrators killed at random moments`,
    seen: 'the next run ends with the same schema as an undisturbed one',
  });
});

test('a migration that has to wait for a lock holds up nobody', async (context) => {
  const service = await installation.start();
  const url = () => service.url;
  const world = await makeWorld(url);
  const newer = await makeNewerVersion('alter table submissions add column note text;');
  const reader = new pg.Client(cluster.connection);
  await reader.connect();
  try {
    const load = startLoad({ url, slug: world.form.slug, longestMs: 5_000 });
    await until(() => load.acknowledged.size > 100, { withinMs: 20_000 });
    // A forgotten report keeps its transaction open: it blocks a change of the table, and what queues behind that change.
    await reader.query('begin; select count(*) from submissions');
    const migrating = installation.run(['migrate'], { root: newer.root });
    await pause(9_000);
    const held = load.acknowledged.size;
    await pause(1_000);
    expect(load.acknowledged.size).toBeGreaterThan(held);
    await reader.query('rollback');
    const endedAt = performance.now();
    const { code, output } = await migrating;
    expect(code, output).toBe(0);
    const recoveredMs = Math.round(performance.now() - endedAt);
    expect(
      await cluster.admin(`select name from schema_migrations where name = '${NEWER_MIGRATION}'`),
    ).toHaveLength(1);
    await load.stop();
    expect(load.longestMs()).toBeLessThan(3_500);
    const figures = await balance({ world, load, url, connection: cluster.connection });
    report(context, {
      id: 'F32',
      fault: 'migration that waits 10 s for an open transaction, under load',
      acknowledged: figures.acknowledged,
      stored: figures.stored,
      lost: figures.lost,
      recoveredMs,
      seen: `${load.statuses.get(503) ?? 0} times 503, the longest answer ${(load.longestMs() / 1000).toFixed(1)} s`,
    });
  } finally {
    await reader.end();
    await newer.remove();
  }
});

test('this version beside the next one', async (context) => {
  const old = await installation.start();
  const urls = [old.url];
  const world = await makeWorld(() => urls[0] ?? '');
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const newer = await makeNewerVersion(
    'alter table submissions add column note text; alter table forms add column colour text; alter table deliveries add column note text;',
  );
  try {
    let turn = 0;
    const url = () => urls[turn++ % urls.length] ?? '';
    const load = startLoad({ url, slug: world.form.slug });
    await until(() => load.acknowledged.size > 200, { withinMs: 20_000 });
    const next = await installation.start({ root: newer.root });
    urls.push(next.url);
    const both = load.acknowledged.size;
    await until(() => load.acknowledged.size > both + 300, { withinMs: 20_000 });
    // The old version not only takes answers: it also saves forms, and reads submissions of the new one.
    const change = await world.call('PUT', `/open/forms/${world.form.id}`, {
      title: 'Changed by the old one',
    });
    expect(change.status, change.text).toBe(200);
    expect((await world.call('GET', `/open/forms/${world.form.id}/submissions`)).status).toBe(200);
    urls.shift();
    expect(await old.end('SIGTERM')).toBe(0);
    await pause(1_000);
    await load.stop();
    const refused = await installation.run(['serve']);
    expect(refused.code).toBe(1);
    expect(refused.output).toBe(
      `The database was migrated by a newer Formstead (it has "${NEWER_MIGRATION}"). Start that version or a later one.\n`,
    );
    const receiver = { recorder, integrationId };
    const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
    report(context, {
      id: 'F31',
      fault: 'the next version migrates and starts under load, this one continues beside it, then stops',
      ...figures,
      seen: `${load.statuses.get(503) ?? 0} times 503, the longest answer ${(load.longestMs() / 1000).toFixed(1)} s; starting this version again is refused`,
    });
  } finally {
    await newer.remove();
  }
});

test('a start before the database, and three at once on an empty one', async (context) => {
  await cluster.stop('SIGINT');
  const starting = [1, 2, 3].map(() => installation.start());
  await pause(4_000);
  await cluster.start();
  const startedAt = performance.now();
  const services = await Promise.all(starting);
  const recoveredMs = Math.round(performance.now() - startedAt);
  for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const applied = await cluster.admin(
    'select name, count(*)::int as count from schema_migrations group by name',
  );
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.every(({ count }) => count === 1)).toBe(true);
  report(context, {
    id: 'F33',
    fault: 'three processes started 4 s before their empty database',
    recoveredMs,
    seen: 'each migration was applied once, all three serve',
  });
});

test('ten restarts under load behind a balancer, without one failed request', async (context) => {
  const balancer: Balancer = await startBalancer();
  let services: ServiceProcess[] = [await installation.start(), await installation.start()];
  balancer.use(services.map(({ url }) => url));
  const url = () => balancer.url;
  const world = await makeWorld(url);
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const load = startLoad({ url, slug: world.form.slug, writers: 16, pauseMs: 0 });
  let longestStopMs = 0;
  try {
    for (let round = 0; round < RESTARTS; round++) {
      await pause(500);
      const [first, second] = services as [ServiceProcess, ServiceProcess];
      const stoppedAt = performance.now();
      expect(await first.end('SIGTERM')).toBe(0);
      longestStopMs = Math.max(longestStopMs, performance.now() - stoppedAt);
      services = [second, await installation.start()];
      balancer.use(services.map((service) => service.url));
    }
    await load.stop();
    expect(balancer.failures).toEqual([]);
    expect(Object.fromEntries(load.statuses)).toEqual({ 200: load.acknowledged.size });
    expect(longestStopMs).toBeLessThan(30_000);
    const receiver = { recorder, integrationId };
    const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
    report(context, {
      id: 'F34',
      fault: `${RESTARTS} restarts (SIGTERM) under load, two processes behind a balancer`,
      ...figures,
      seen: `no request failed; the longest stop ${(longestStopMs / 1000).toFixed(1)} s, the longest answer ${Math.round(load.longestMs())} ms`,
    });
  } finally {
    await load.stop();
    await balancer.close();
  }
});
