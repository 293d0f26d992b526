import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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
import { makeWorld, type World } from './world.ts';

/** Clients that send twice, vanish, dawdle and race, and owners who change things meanwhile: two processes, one database. */
const SECRET = 'a secret of the faults';
const OTHER_SECRET = 'another secret of the faults';

let cluster: Cluster;
let installation: Installation;
let services: [ServiceProcess, ServiceProcess];
let recorder: Recorder;
let world: World;
let turn = 0;
const url = () => services[turn++ % 2]?.url ?? '';

beforeEach(async () => {
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, SECRET_KEY: 'ab'.repeat(32) });
  services = [await installation.start(), await installation.start()];
  recorder = await startRecorder(SECRET);
  world = await makeWorld(url);
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
  await recorder?.close();
});

async function countOf(sql: string): Promise<number> {
  const [{ count }] = await cluster.admin(`select count(*)::int as count from ${sql}`);
  return count;
}

test('everything is sent twice at once, with a key and without', async (context) => {
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const load = startLoad({ url, slug: world.form.slug, writers: 0 });
  const PAIRS = 400;
  let conflicts = 0;
  for (let n = 0; n < PAIRS; n++) {
    const key = randomUUID();
    const text = `twice ${n}`;
    load.sent.set(key, text);
    const answers = await Promise.all([1, 2].map(() => submit(url(), world.form.slug, text, key)));
    const stored = answers.filter(({ status }) => status === 200);
    conflicts += answers.length - stored.length;
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(new Set(stored.map(({ body }) => body.submission_id)).size).toBe(1);
    expect(stored.filter(({ replayed }) => !replayed)).toHaveLength(1);
    load.acknowledged.set(key, { submissionId: stored[0]?.body.submission_id, text, at: 0, ms: 0 });
  }
  const other = await submit(url(), world.form.slug, 'another body', [...load.sent.keys()][0] ?? '');
  expect(other.status).toBe(422);
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  expect(figures.stored).toBe(PAIRS);
  const unkeyed = await world.aForm();
  const body = { [TEXT_FIELD_ID]: 'the same' };
  await Promise.all(
    Array.from({ length: 20 }, () => world.call('POST', `/forms/${unkeyed.slug}/answer`, body)),
  );
  expect(await countOf(`submissions where form_id = ${unkeyed.id}`)).toBe(20);
  report(context, {
    id: 'F25',
    fault: `${PAIRS} submissions sent twice at once under one key, to two processes`,
    ...figures,
    seen: `${conflicts} answered 409; without a key both are stored`,
  });
});

test('five hundred clients want a hundred places', async (context) => {
  const form = await world.aForm({ max_submissions_count: 100 });
  await world.anIntegration(form, recorder.url, SECRET);
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => submit(url(), form.slug, `race ${n}`, randomUUID())),
  );
  const counts = { 200: 0, 403: 0 };
  for (const { status, body } of answers) {
    expect([200, 403], JSON.stringify(body)).toContain(status);
    counts[status as 200 | 403] += 1;
    if (status === 403) expect(body.error).toBe('form_full');
  }
  expect(counts).toEqual({ 200: 100, 403: 400 });
  expect(await countOf(`submissions where form_id = ${form.id}`)).toBe(100);
  await until(() => recorder.byId.size === 100, { what: 'a delivery for each' });
  report(context, {
    id: 'F28',
    fault: '500 submissions at once to a form that takes 100, two processes',
    acknowledged: 100,
    stored: 100,
    delivered: recorder.byId.size,
    lost: 0,
    seen: '400 answered 403 form_full',
  });
});

test('clients that vanish in the midst of requests, downloads and lists', async (context) => {
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const large = await world.aForm();
  await fillForm(large.id, 60_000);
  const load = startLoad({ url, slug: world.form.slug, writers: 6 });
  await until(() => load.acknowledged.size > 100, { withinMs: 30_000, what: 'some load' });
  const exporting = JSON.stringify({ columns: { [TEXT_FIELD_ID]: true } });
  const token = `Authorization: Bearer ${world.ada.token}\r\n`;
  let vanished = 0;
  for (let n = 0; n < 600; n++) {
    const key = randomUUID();
    const text = `gone ${n} ${'ü'.repeat(n)}`;
    const body = JSON.stringify({ [TEXT_FIELD_ID]: text });
    load.sent.set(key, text);
    const answering = httpText(
      'POST',
      `/forms/${world.form.slug}/answer`,
      `Idempotency-Key: ${key}\r\n`,
      body,
    );
    const kinds = [
      answering,
      answering.subarray(0, Math.ceil((answering.length * (n % 11)) / 10)),
      httpText('POST', `/open/forms/${large.id}/submissions/export`, token, exporting),
      httpText('GET', `/open/forms/${large.id}/submissions?per_page=100`, token, ''),
    ];
    await vanish(kinds[n % kinds.length] ?? answering, n % 3);
    vanished += 1;
    if (n % 50 > 0) continue;
    // Clients that stay are served meanwhile.
    const before = load.acknowledged.size;
    await until(() => load.acknowledged.size > before + 10, { withinMs: 20_000, what: 'load beside them' });
  }
  const endedAt = performance.now();
  await until(() => Number.isFinite(load.recoveredAfter(endedAt)), { withinMs: 15_000, what: 'recovery' });
  const recoveredMs = load.recoveredAfter(endedAt);
  const exportedAt = performance.now();
  // Vanished clients keep no connection, thread or place: everything answers as before.
  const csv = await world.call('POST', `/open/forms/${large.id}/submissions/export`, {
    columns: { [TEXT_FIELD_ID]: true },
  });
  expect(csv.text.split('\n').length).toBe(60_002);
  const exportMs = Math.round(performance.now() - exportedAt);
  for (const path of [`/open/forms/${large.id}/submissions`, `/open/forms/${large.id}`])
    for (let n = 0; n < 20; n++) expect((await world.call('GET', path)).status).toBe(200);
  await load.stop();
  const copies = `pg_stat_activity where state = 'active' and query ilike 'copy (%'`;
  await until(async () => (await countOf(copies)) === 0, { what: 'no export that nobody reads' });
  for (const { url: base } of services) {
    const metrics = async () => (await fetch(`${base}/metrics`)).text();
    await until(async () => /formstead_database_connections\{state="waiting"\} 0/.test(await metrics()), {
      what: 'a pool nobody waits for',
    });
    await until(async () => /formstead_database_connections\{state="busy"\} [01]\n/.test(await metrics()), {
      what: 'a pool that is free again',
    });
  }
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  report(context, {
    id: 'F26',
    fault: `${vanished} clients vanish while sending, waiting, downloading, listing`,
    ...figures,
    recoveredMs,
    seen: `${figures.stored - figures.acknowledged} stored completely for clients that did not wait for the response; an export of 60,000 rows right afterwards took ${(exportMs / 1000).toFixed(1)} s`,
  });
});

test('thousands of slow and idle clients', async (context) => {
  const sockets: Socket[] = [];
  const SLOW = 2_000;
  const before = await typicalMs();
  const closed = new Set<Socket>();
  for (let n = 0; n < SLOW; n++) {
    const { hostname, port } = new URL(services[n % 2]?.url ?? '');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.on('close', () => closed.add(socket));
    sockets.push(socket);
    if (n % 100 === 0) await once(socket, 'connect');
  }
  const startedAt = performance.now();
  const dripping = setInterval(() => {
    for (const [n, socket] of sockets.entries()) if (n % 4 && !socket.destroyed) socket.write('G');
  }, 5_000);
  const load = startLoad({ url, slug: world.form.slug, writers: 4, longestMs: 3_000 });
  await pause(6_000);
  const during = await typicalMs();
  // A request may take 15 s, checked every 2 s. A connection that sent nothing is idle and costs only a file descriptor.
  const begun = sockets.filter((_, n) => n % 4);
  await until(() => begun.every((socket) => closed.has(socket)), {
    withinMs: 40_000,
    what: `the end of all slow requests (${closed.size} of ${begun.length} closed)`,
  });
  const closedMs = Math.round(performance.now() - startedAt);
  clearInterval(dripping);
  await load.stop();
  for (const socket of sockets) socket.destroy();
  expect(during).toBeLessThan(before * 5 + 100);
  const figures = await balance({ world, load, url, connection: cluster.connection });
  report(context, {
    id: 'F27',
    fault: `${SLOW} clients that send a byte every five seconds, or nothing`,
    acknowledged: figures.acknowledged,
    stored: figures.stored,
    lost: figures.lost,
    seen: `slow connections closed after ${Math.round(closedMs / 1000)} s; others answered in ${Math.round(during)} ms meanwhile, ${Math.round(before)} ms before`,
  });
});

test('forms, integrations and workspaces deleted while answers, exports and deliveries are under way', async (context) => {
  let acknowledged = 0;
  let lateCalls = 0;
  for (let round = 0; round < 6; round++) {
    const workspace = await world.call('POST', '/open/workspaces/create', { name: 'Short-lived' });
    const workspaceId = workspace.body.workspace_id;
    const form = await world.aForm({ workspace_id: workspaceId });
    const hook = await world.anIntegration(form, recorder.url, SECRET);
    let deletedAt = Number.POSITIVE_INFINITY;
    recorder.behave((response) => {
      // Allowed: one request on the wire, and requests within the tenth of a second for which the address is cached.
      if (performance.now() > deletedAt + 500) lateCalls += 1;
      setTimeout(() => response.end(), 30);
    });
    const sending = Array.from({ length: 150 }, (_, n) =>
      pause(n * 3).then(() => submit(url(), form.slug, `round ${round} ${n}`, randomUUID())),
    );
    await pause(150);
    const exporting = world.call('POST', `/open/forms/${form.id}/submissions/export`, {
      columns: { [TEXT_FIELD_ID]: true },
    });
    const target = [
      `/open/forms/${form.id}/integrations/${hook}`,
      `/open/forms/${form.id}`,
      `/open/workspaces/${workspaceId}`,
    ][round % 3];
    const deletion = await world.call('DELETE', target ?? '');
    deletedAt = performance.now();
    expect([200, 204], deletion.text).toContain(deletion.status);
    expect([200, 202, 404]).toContain((await exporting).status);
    const statuses = (await Promise.all(sending)).map(({ status }) => status);
    for (const status of statuses) expect([200, 404]).toContain(status);
    acknowledged += statuses.filter((status) => status === 200).length;
    await pause(1_500);
    const pending = `deliveries where integration_id = ${hook} and state = 'pending'`;
    await until(async () => (await countOf(pending)) === 0, { what: `nothing pending in round ${round}` });
    if (round % 3 === 0) {
      expect(await countOf(`submissions where form_id = ${form.id}`)).toBe(
        statuses.filter((status) => status === 200).length,
      );
      continue;
    }
    for (const table of ['submissions', 'form_counters', 'integrations', 'export_jobs', 'idempotency_keys'])
      await until(async () => (await countOf(`${table} where form_id = ${form.id}`)) === 0, {
        what: `no row of ${table} left in round ${round}`,
      });
  }
  expect(lateCalls).toBe(0);
  expect(recorder.faults).toEqual([]);
  report(context, {
    id: 'F29',
    fault: 'integration, form, workspace deleted during submissions, deliveries and an export',
    acknowledged,
    seen: 'no row without its parent, no delivery later than half a second after the call had returned',
  });
});

test('secret and address changed between the attempts', async (context) => {
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const elsewhere = await startRecorder(OTHER_SECRET);
  try {
    recorder.behave((response) => response.writeHead(503).end());
    const load = startLoad({ url, slug: world.form.slug, writers: 4 });
    await until(() => load.acknowledged.size > 200, { withinMs: 20_000 });
    const path = `/open/forms/${world.form.id}/integrations/${integrationId}`;
    const change = async (data: object) => {
      const answer = await world.call('PUT', path, { integration_id: 'webhook', status: 'active', data });
      expect(answer.status, answer.text).toBe(200);
    };
    // Once the change is answered, new requests are signed with the new secret, and the old one no longer verifies.
    recorder.secrets = [SECRET, OTHER_SECRET];
    await change({ webhook_url: recorder.url, webhook_secret: OTHER_SECRET });
    // Requests on the wire arrive meanwhile.
    await pause(50);
    recorder.secrets = [OTHER_SECRET];
    await pause(1_000);
    await change({ webhook_url: elsewhere.url });
    await pause(50);
    const callsBefore = recorder.count();
    await load.stop();
    await cluster.admin(`update deliveries set next_attempt_at = now() where state = 'pending'`);
    const receiver = { recorder: elsewhere, integrationId };
    const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
    expect(recorder.count()).toBe(callsBefore);
    expect(recorder.faults).toEqual([]);
    for (const [id, { bodyHash }] of recorder.byId) expect(elsewhere.byId.get(id)?.bodyHash).toBe(bodyHash);
    report(context, {
      id: 'F30',
      fault: 'secret, then address changed while deliveries are retried',
      ...figures,
      seen: `${recorder.byId.size} had been tried at the old address; the new one got the same id and bytes`,
    });
  } finally {
    await elsewhere.close();
  }
});

/** The median duration of 15 simple requests, in milliseconds. */
async function typicalMs(): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const startedAt = performance.now();
    expect((await world.call('GET', `/open/forms/${world.form.id}`)).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[7] ?? 0;
}

async function fillForm(formId: number, rows: number): Promise<void> {
  await cluster.admin(
    `insert into submissions (form_id, public_id, status, data)
     select ${formId}, gen_random_uuid(), 'completed', jsonb_build_object('${TEXT_FIELD_ID}', 'row ' || n || repeat('x', 300))
     from generate_series(1, ${rows}) n`,
  );
  await cluster.admin(`update form_counters set completed_count = ${rows} where form_id = ${formId}`);
}

function httpText(method: string, path: string, headers: string, body: string): Buffer {
  const length =
    method === 'GET'
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}${length}\r\n${body}`);
}

/** Sends the bytes and leaves: at once, with a reset, or when the first bytes of the answer arrive. */
async function vanish(bytes: Buffer, how: number): Promise<void> {
  const { hostname, port } = new URL(url());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  if (how === 0) socket.destroy();
  else if (how === 1) socket.resetAndDestroy();
  else {
    socket.setTimeout(50, () => socket.destroy());
    socket.once('data', () => socket.destroy());
  }
}
