import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { submit } from './load.ts';
import { report } from './outcome.ts';
import { startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { makeWorld, type World } from './world.ts';

/** Workers killed with SIGKILL at the worst moments, in real time: another one takes over what they held. */
const SECRET = 'a secret of the faults';
const LEASE_MS = 60_000;
const ROWS = 300_000;

let cluster: Cluster;
let installation: Installation;
let service: ServiceProcess;
let worker: ServiceProcess;
let world: World;

beforeEach(async () => {
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, EXPORT_SYNC_LIMIT: '0' });
  service = await installation.start({ env: { ROLES: 'http' } });
  worker = await installation.start({ env: { ROLES: 'worker' } });
  world = await makeWorld(() => service.url);
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
});

test('a worker killed between claim and request, and between answer and record', async (context) => {
  const hanging = await startRecorder(SECRET);
  const killing = await startRecorder(SECRET);
  try {
    await world.anIntegration(world.form, hanging.url, SECRET);
    await world.anIntegration(world.form, killing.url, SECRET);
    // Each gets only one request at first: of an unknown receiver, several deliveries are claimed but one is sent.
    hanging.behave(() => {});
    killing.behave(async (response) => {
      await until(() => hanging.count() > 0);
      await worker.end('SIGKILL');
      response.end();
    });
    const texts = Array.from({ length: 5 }, (_, n) => `held ${n}`);
    const told = await Promise.all(
      texts.map((text) => submit(service.url, world.form.slug, text, text.replace(' ', '-'))),
    );
    expect(told.map(({ status }) => status)).toEqual(texts.map(() => 200));
    await until(() => !worker.isRunning(), { what: 'the end of the worker' });
    const killedAt = performance.now();
    const [{ claimed }] = await cluster.admin(
      'select count(*)::int as claimed from deliveries where leased_until is not null',
    );
    expect(claimed).toBeGreaterThan(2);
    for (const recorder of [hanging, killing]) recorder.behave((response) => response.end());
    await installation.start({ env: { ROLES: 'worker' } });
    await until(() => hanging.byId.size === texts.length && killing.byId.size === texts.length, {
      withinMs: LEASE_MS + 10_000,
      what: 'deliveries by the other worker',
    });
    const pending = async () =>
      (await cluster.admin(`select id from deliveries where state <> 'delivered'`)).length === 0;
    await until(pending, { withinMs: LEASE_MS });
    const takenOverMs = Math.round(performance.now() - killedAt);
    for (const recorder of [hanging, killing]) {
      const times = [...recorder.byId.values()].map((one) => one.times).sort();
      // Only the request on the wire when the worker died arrives twice, with the same bytes.
      expect(times).toEqual([1, 1, 1, 1, 2]);
      expect(recorder.faults).toEqual([]);
    }
    report(context, {
      id: 'F2, F3',
      fault: 'worker killed after claiming, and after a response it had not yet recorded',
      acknowledged: texts.length,
      stored: texts.length,
      delivered: texts.length * 2,
      lost: 0,
      recoveredMs: takenOverMs,
      seen: `${claimed} deliveries were claimed; each receiver got one twice, with the same id and bytes`,
    });
  } finally {
    await hanging.close();
    await killing.close();
  }
});

test('a worker killed in the midst of an export', async (context) => {
  await cluster.admin(
    `insert into submissions (form_id, public_id, status, data)
     select ${world.form.id}, gen_random_uuid(), 'completed', jsonb_build_object('${TEXT_FIELD_ID}', 'row ' || n)
     from generate_series(1, ${ROWS}) n`,
  );
  await cluster.admin(`update form_counters set completed_count = ${ROWS} where form_id = ${world.form.id}`);
  const path = `/open/forms/${world.form.id}/submissions/export`;
  const files = () => readdir(join(installation.dataDir, 'files', 'exports')).catch(() => []);
  const { body } = await world.call('POST', path, { columns: { [TEXT_FIELD_ID]: true } });
  await until(async () => (await files()).some((name) => name.endsWith('.part')), { withinMs: 20_000 });
  await worker.end('SIGKILL');
  const killedAt = performance.now();
  const status = async () => (await world.call('GET', `${path}/status/${body.job_id}`)).body;
  expect(await status()).toMatchObject({ status: 'processing', file_url: null });
  await installation.start({ env: { ROLES: 'worker' } });
  let most = 0;
  const done = await until(
    async () => {
      const now = await status();
      expect(now.progress).toBeLessThanOrEqual(100);
      most = Math.max(most, now.progress);
      return now.status === 'completed' && now;
    },
    { withinMs: 120_000, what: 'the export' },
  );
  const recoveredMs = Math.round(performance.now() - killedAt);
  const lines = (await (await fetch(done.file_url)).text()).split('\n');
  expect(lines).toHaveLength(ROWS + 2);
  expect(await files()).toEqual([expect.stringMatching(/\.csv$/)]);
  report(context, {
    id: 'F4',
    fault: `worker killed during an export of ${ROWS.toLocaleString('en')} rows`,
    stored: ROWS,
    lost: 0,
    recoveredMs,
    seen: 'one complete file in the end, no partial one',
  });
});
