import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { startLoad } from './load.ts';
import { report } from './outcome.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { type DnsAnswer, type StubDns, startStubDns } from './stub-dns.ts';
import { makeWorld } from './world.ts';

/** Names that do not resolve, or only slowly, or sometimes, or to forbidden addresses. */
const SECRET = 'a secret of the faults';
const PRELOAD = join(import.meta.dirname, 'preload-dns.ts');
/** On loopback, but not the one allowed address. */
const FORBIDDEN = '127.0.0.2';

let cluster: Cluster;
let installation: Installation;
let service: ServiceProcess;
let recorder: Recorder;
let dns: StubDns;

beforeEach(async () => {
  dns = await startStubDns();
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  service = await installation.start({
    nodeArguments: ['--import', PRELOAD],
    env: { NAME_SERVER: dns.server },
  });
  recorder = await startRecorder(SECRET);
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
  await recorder?.close();
  dns?.close();
});

test('names that fail, hang, flap and lead elsewhere', async (context) => {
  const url = () => service.url;
  const world = await makeWorld(url);
  const port = new URL(recorder.url).port;
  let forbiddenConnections = 0;
  const forbidden = createServer((_, response) => response.end()).on('connection', () => {
    forbiddenConnections += 1;
  });
  await new Promise<void>((resolve) => forbidden.listen(Number(port), FORBIDDEN, resolve));
  const good = { addresses: ['127.0.0.1'] };
  const names: Record<string, { failures: string[]; zone: (turn: number) => DnsAnswer }> = {
    'well.example.com': { failures: [], zone: () => good },
    'broken.example.com': { failures: ['dns_failed'], zone: () => ({ failure: 'servfail' }) },
    // For names unknown to DNS the system is asked, which may take long to answer.
    'unknown.example.com': {
      failures: ['dns_failed', 'connect_timeout'],
      zone: () => ({ failure: 'nxdomain' }),
    },
    'silent.example.com': { failures: ['dns_failed', 'connect_timeout'], zone: () => null },
    'slow.example.com': {
      failures: ['dns_failed', 'connect_timeout'],
      zone: () => ({ ...good, delayMs: 30_000 }),
    },
    'flapping.example.com': {
      failures: ['dns_failed'],
      zone: (turn) => (turn % 2 ? good : { failure: 'servfail' }),
    },
    'rebinding.example.com': {
      failures: ['blocked_address'],
      zone: (turn) => ({ addresses: [turn % 2 ? '127.0.0.1' : FORBIDDEN] }),
    },
    'mixed.example.com': {
      failures: ['blocked_address'],
      zone: () => ({ addresses: ['127.0.0.1', FORBIDDEN] }),
    },
    'inside.example.com': { failures: ['blocked_address'], zone: () => ({ addresses: ['10.0.0.1'] }) },
    'metadata.example.com': {
      failures: ['blocked_address'],
      zone: () => ({ addresses: ['169.254.169.254'] }),
    },
  };
  const zones = Object.fromEntries(Object.entries(names).map(([name, { zone }]) => [name, zone]));
  dns.answer(zones);
  const hooks = new Map<string, number>();
  for (const name of Object.keys(names))
    hooks.set(name, await world.anIntegration(world.form, `http://${name}:${port}/${name}`, SECRET));
  const perName = new Map<string, Set<string>>();
  recorder.behave((response, recorded, request) => {
    const name = request.url?.slice(1) ?? '';
    const seen = perName.get(name) ?? new Set();
    perName.set(name, seen.add(recorded.text));
    response.end();
  });

  const load = startLoad({ url, slug: world.form.slug, writers: 2, pauseMs: 100 });
  const delays = async () =>
    [...load.acknowledged.values()].filter(({ text }) => !perName.get('well.example.com')?.has(text));
  await pause(8_000);
  await load.stop();
  const stoppedAt = performance.now();
  await until(async () => (await delays()).length === 0, { what: 'the deliveries of the name that is well' });
  const behindMs = Math.round(performance.now() - stoppedAt);
  await pause(12_000);
  let longest = 0;
  for (const [name, { failures }] of Object.entries(names)) {
    const { body } = await world.call(
      'GET',
      `/open/forms/${world.form.id}/integrations/${hooks.get(name)}/events`,
    );
    const events: any[] = body.data ?? body;
    expect(events.length, name).toBeGreaterThan(0);
    for (const { failure, status_code, duration_ms } of events) {
      if (status_code !== 200) expect(failures, `${name}: ${failure}`).toContain(failure);
      longest = Math.max(longest, duration_ms);
    }
    // The page of events shows only the latest hundred.
    const [{ refused }] = await cluster.admin(
      'select count(failure)::int as refused from delivery_attempts where integration_id = $1',
      [hooks.get(name)],
    );
    if (failures.length > 0) expect(refused, name).toBeGreaterThan(0);
  }
  expect(longest).toBeLessThan(7_000);
  expect(forbiddenConnections).toBe(0);

  dns.answer(Object.fromEntries(Object.keys(names).map((name) => [name, () => good])));
  const mendedAt = performance.now();
  const total = load.acknowledged.size;
  await until(
    async () => {
      await cluster.admin(
        `update deliveries set next_attempt_at = now() where state = 'pending' and leased_until is null`,
      );
      return Object.keys(names).every((name) => perName.get(name)?.size === total);
    },
    { withinMs: 90_000, what: 'everything at every name' },
  );
  const recoveredMs = Math.round(performance.now() - mendedAt);
  expect(recorder.faults).toEqual([]);
  expect(forbiddenConnections).toBe(0);
  report(context, {
    id: 'F22',
    fault:
      'names that fail (SERVFAIL, NXDOMAIN), stay silent, answer after 30 s, flap, rebind, mix allowed and forbidden addresses',
    acknowledged: total,
    stored: total,
    delivered: total * Object.keys(names).length,
    lost: 0,
    recoveredMs,
    seen: `no connection to a forbidden address; the longest attempt ${(longest / 1000).toFixed(1)} s; the healthy name was ${behindMs} ms behind`,
  });
  forbidden.closeAllConnections();
  forbidden.close();
});
