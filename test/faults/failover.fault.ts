import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { request } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { balance } from './ledger.ts';
import { type Load, startLoad } from './load.ts';
import { report } from './outcome.ts';
import { type PatroniCluster, startPatroni, whatIsMissing } from './patroni.ts';
import { startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { makeWorld } from './world.ts';

/**
 * The primary dies under load: three PostgreSQL servers under Patroni with synchronous replication, two processes of the
 * service. Acknowledged submissions are on the next primary, and service returns by itself.
 */
const SECRET = 'a secret of the faults';
const KEY = '5e'.repeat(32);
const OUTAGE_LIMIT_MS = 30_000;
/** Every answer comes within this time, whatever the database does. */
const LONGEST_MS = 8_000;
/** The load between two faults, in acknowledged submissions. */
const SOME = 300;
const missing = whatIsMissing();

let cluster: PatroniCluster;
let installation: Installation;
let services: ServiceProcess[];

beforeAll(async () => {
  if (missing !== null) return;
  cluster = await startPatroni();
  installation = await install({ DATABASE_URL: cluster.url, SECRET_KEY: KEY });
  services = [await installation.start(), await installation.start({ env: { EXPORT_SYNC_LIMIT: '0' } })];
}, 300_000);
afterAll(async () => {
  await installation?.remove();
  await cluster?.remove();
});
beforeEach((context) => {
  if (missing !== null) context.skip(missing);
});

test('a primary that dies, again and again', { timeout: 600_000 }, (context) =>
  underLoad(context, 'F39', 'primary and its Patroni killed with SIGKILL, 3 times', 3, async () => {
    const primary = await cluster.primary();
    await cluster.kill(primary);
    return async () => cluster.start(primary);
  }),
);

test('a primary that freezes, as when its machine vanishes', { timeout: 600_000 }, (context) =>
  underLoad(
    context,
    'F40',
    'primary and its Patroni frozen (SIGSTOP) until another one had taken over, 2 times',
    2,
    async () => {
      const primary = await cluster.primary();
      await cluster.signal(primary, 'SIGSTOP');
      return () => cluster.signal(primary, 'SIGCONT');
    },
  ),
);

test('a switchover that was asked for', { timeout: 600_000 }, (context) =>
  underLoad(context, 'F41', '`patronictl switchover`, 2 times', 2, async () => {
    await cluster.switchover();
    return async () => {};
  }),
);

test('the synchronous standby dies', { timeout: 600_000 }, (context) =>
  underLoad(
    context,
    'F42',
    'synchronous standby and its Patroni killed with SIGKILL, 2 times',
    2,
    async () => {
      const standby = await cluster.synchronousStandby();
      await cluster.kill(standby);
      return async () => cluster.start(standby);
    },
  ),
);

/** @param cause makes the fault; resolves with a function that brings the victim back */
async function underLoad(
  context: TestContext,
  id: string,
  fault: string,
  rounds: number,
  cause: () => Promise<() => Promise<void>>,
): Promise<void> {
  await cluster.healthy();
  const recorder = await startRecorder(SECRET);
  const [first, second] = services as [ServiceProcess, ServiceProcess];
  const world = await makeWorld(() => first.url);
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  let turn = 0;
  const url = () => (turn++ % 2 === 0 ? first.url : second.url);
  const load = startLoad({ url, slug: world.form.slug, longestMs: LONGEST_MS });
  const outages: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await more(load);
      const at = performance.now();
      const bringBack = await cause();
      const causedAt = performance.now();
      await until(() => Number.isFinite(load.recoveredAfter(causedAt)), {
        withinMs: 3 * OUTAGE_LIMIT_MS,
        what: `service in round ${round}: ${first.output().slice(-3_000)}`,
      });
      await more(load);
      outages.push(longestSilence(load, at));
      await bringBack();
      await cluster.healthy();
    }
    await more(load);
    await load.stop();
    for (const service of services) expect(service.isRunning()).toBe(true);
    const receiver = { recorder, integrationId };
    const connection = await cluster.connection();
    const figures = await balance({ world, load, url, receiver, connection });
    await aJobIsDone(world.form.id, world.ada.token, second);
    expect(Math.max(...outages)).toBeLessThan(OUTAGE_LIMIT_MS);
    const seconds = outages.map((ms) => (ms / 1000).toFixed(1)).join(', ');
    report(context, {
      id,
      fault,
      ...figures,
      recoveredMs: Math.max(...outages),
      seen: `nothing acknowledged for ${seconds} s; ${load.statuses.get(503) ?? 0} times 503, the longest answer ${(load.longestMs() / 1000).toFixed(1)} s; ${figures.repeated} delivered more than once`,
    });
  } finally {
    await load.stop();
    await recorder.close();
  }
}

async function more(load: Load): Promise<void> {
  const before = load.acknowledged.size;
  await until(() => load.acknowledged.size > before + SOME, { withinMs: 60_000, what: 'some load' });
}

/** The longest time after that moment without an acknowledged submission, in milliseconds. */
function longestSilence(load: Load, since: number): number {
  const times = [...load.acknowledged.values()].map(({ at }) => at).filter((at) => at >= since);
  return Math.round(Math.max(...times.sort((a, b) => a - b).map((at, n) => at - (times[n - 1] ?? since))));
}

/** Checks that the job queue works too: the second process exports by a job. */
async function aJobIsDone(formId: number, token: string, { url }: ServiceProcess): Promise<void> {
  const path = `${url}/open/forms/${formId}/submissions/export`;
  const body = { columns: { [TEXT_FIELD_ID]: true } };
  const begun = await request(path, 'POST', { token, body });
  expect(begun.body?.is_async, begun.text).toBe(true);
  const isDone = async () => {
    const answer = await request(`${path}/status/${begun.body.job_id}`, 'GET', { token });
    return answer.body?.status === 'completed';
  };
  await until(isDone, { withinMs: 60_000, what: 'an export' });
}
