import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { balance } from './ledger.ts';
import { startLoad, submit } from './load.ts';
import { report } from './outcome.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { makeWorld } from './world.ts';

/** The clocks of the processes jump or show different times: only the clock of the database counts. */
const PRELOAD = join(import.meta.dirname, 'preload-clock.ts');
const DAY_MS = 86_400_000;

let cluster: Cluster;
let installation: Installation;
let recorder: Recorder;
let clocks: string[];

beforeEach(async () => {
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, SECRET_KEY: 'ab'.repeat(32) });
  // No secret: a signature contains the time of the process, so a receiver would rightly refuse it.
  recorder = await startRecorder();
  clocks = [];
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
  await recorder?.close();
});

async function startShifted(env: Record<string, string>, shiftMs = 0): Promise<ServiceProcess> {
  const file = join(installation.dataDir, `clock-${clocks.length}`);
  clocks.push(file);
  await writeFile(file, String(shiftMs));
  return installation.start({ nodeArguments: ['--import', PRELOAD], env: { ...env, CLOCK_SHIFT: file } });
}

test('a clock that jumps by days, forth and back', async (context) => {
  const service = await startShifted({ EXPORT_SYNC_LIMIT: '0' });
  const url = () => service.url;
  const world = await makeWorld(url);
  const integrationId = await world.anIntegration(world.form, recorder.url);
  let calls = 0;
  // Every tenth call fails, so that there are always retries.
  recorder.behave((response) => response.writeHead(++calls % 10 === 0 ? 500 : 200).end());
  const other = await world.aForm();
  expect((await submit(url(), other.slug, 'exported', 'exported')).status).toBe(200);
  const path = `/open/forms/${other.id}/submissions/export`;
  const { body } = await world.call('POST', path, { columns: { [TEXT_FIELD_ID]: true } });
  const status = async () => (await world.call('GET', `${path}/status/${body.job_id}`)).body;
  const { file_url: link } = await until(async () => {
    const now = await status();
    return now.status === 'completed' && now;
  });
  const load = startLoad({ url, slug: world.form.slug, writers: 4 });
  const shifts = [DAY_MS, -DAY_MS, 400 * DAY_MS, -400 * DAY_MS, 0];
  for (const shift of shifts) {
    await writeFile(clocks[0] ?? '', String(shift));
    await pause(2_500);
    // The database's clock decides how long a token (365 days) and a link (24 hours) are valid.
    expect((await world.call('GET', `/open/forms/${world.form.id}`)).status).toBe(200);
    expect((await fetch(link)).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  }
  await load.stop();
  recorder.behave((response) => response.end());
  const failedOnce = [...recorder.byId.values()].length;
  expect(failedOnce).toBeGreaterThan(50);
  const receiver = { recorder, integrationId };
  // Exports are jobs in that service, so another one that streams them serves the final comparison.
  const streaming = await installation.start();
  const figures = await balance({
    world: await sameWorld(world, streaming.url),
    load,
    url: () => streaming.url,
    receiver,
    connection: cluster.connection,
  });
  // Only failed deliveries were sent again.
  const repeated = [...recorder.byId.values()].filter(({ times }) => times > 2).length;
  expect(repeated).toBeLessThan(figures.stored / 10);
  report(context, {
    id: 'F23',
    fault: 'clock of the service jumps forward and back by a day and by 400 days, every 2.5 s',
    ...figures,
    seen: `tokens and links stayed valid; deliveries were retried only after a receiver had failed (${figures.repeated})`,
  });
});

async function sameWorld(world: Awaited<ReturnType<typeof makeWorld>>, base: string) {
  const { request } = await import('../setup/service.ts');
  return {
    ...world,
    call: (method: string, path: string, body?: unknown) =>
      request(base + path, method, { token: world.ada.token, body }),
  };
}

test('four processes in four time zones across a change of the clocks', async (context) => {
  // Ten seconds before daylight saving time begins in Berlin.
  const shift = Date.UTC(2027, 2, 28, 0, 59, 50) - Date.now();
  const zones = ['Europe/Berlin', 'Pacific/Kiritimati', 'America/St_Johns', 'UTC'];
  const services = await Promise.all(zones.map((TZ) => startShifted({ TZ }, shift)));
  let turn = 0;
  const url = () => services[turn++ % services.length]?.url ?? '';
  const world = await makeWorld(url);
  const integrationId = await world.anIntegration(world.form, recorder.url);
  const load = startLoad({ url, slug: world.form.slug });
  await pause(15_000);
  await load.stop();
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  expect(figures.repeated).toBe(0);
  report(context, {
    id: 'F24',
    fault: 'four processes in four time zones, across the change to summer time',
    ...figures,
    seen: 'nothing was delivered twice',
  });
});
