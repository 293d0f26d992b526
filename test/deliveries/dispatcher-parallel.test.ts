import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimDeliveries } from '../../server/deliveries/outbox-queries.ts';
import { parseAllowedNetworks } from '../../server/outbound/address.ts';
import { createOutbound, type Outbound } from '../../server/outbound/request.ts';
import type { OutboundResult } from '../../server/outbound/response.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';
import { type Outbox, openOutbox } from './outbox.ts';

const MB = 1024 * 1024;
/** The start of a body, up to the number of the submission; as long as the longest answers make it. */
const LONG_BODY = `{"text":"${'a'.repeat(1_800_000)}","submission_id":`;

let outbox: Outbox;
let receiver: WebhookReceiver;

beforeEach(async () => {
  outbox = await openOutbox();
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await receiver.close();
  await outbox.close();
});

function unfinished() {
  return outbox.db.selectFrom('deliveries').select('id').where('state', '=', 'pending').execute();
}

test('four dispatchers send each delivery exactly once', async () => {
  const hooks = await Promise.all([1, 2, 3].map(() => outbox.addIntegration(receiver.url)));
  for (const hook of hooks) await outbox.addDeliveries(hook, 300);
  const dispatchers = [1, 2, 3, 4].map(() => outbox.startDispatcher());
  for (const dispatcher of dispatchers) dispatcher.wake(hooks);
  await outbox.until(unfinished, (rows) => rows.length === 0);
  expect(receiver.requests).toHaveLength(900);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(900);
  const { rows } = await sql<{ count: number }>`select count(*) from delivery_attempts`.execute(outbox.db);
  expect(rows[0]?.count).toBe(900);
});

test('one dispatcher sends at most five requests at a time to one integration', async () => {
  receiver.script([], { status: 200, delayMs: 5 });
  const hook = await outbox.addIntegration(receiver.url);
  await outbox.addDeliveries(hook, 60);
  outbox.startDispatcher().wake([hook]);
  await outbox.until(unfinished, (rows) => rows.length === 0);
  expect(receiver.maxConcurrency()).toBe(5);
});

test('receivers that hang do not delay the others, and hold one connection each', async () => {
  const hanging = await startWebhookReceiver();
  hanging.script([], () => {});
  const deaf = await Promise.all(Array.from({ length: 20 }, () => outbox.addIntegration(hanging.url)));
  const healthy = await Promise.all(Array.from({ length: 20 }, () => outbox.addIntegration(receiver.url)));
  for (const hook of [...deaf, ...healthy]) await outbox.addDeliveries(hook, 10);
  outbox.startDispatcher().wake([...deaf, ...healthy]);
  await receiver.received(200);
  await hanging.received(20);
  // No hanging request had ended when the healthy receivers had everything, so none of these waited for it.
  expect(hanging.requests).toHaveLength(20);
  expect(hanging.maxConcurrency()).toBe(20);
  await hanging.close();
});

test('receivers that take everything, but slowly, do not delay the others', async () => {
  const real = createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8') });
  const end = Promise.withResolvers<OutboundResult>();
  const taken: OutboundResult = { ok: true, status: 200, headers: {}, bodyExcerpt: '', durationMs: 14_000 };
  let open = 0;
  const known = new Set<string>();
  const outbound: Outbound = {
    ...real,
    request(request) {
      if (!request.url.includes('/slow')) return real.request(request);
      if (known.size < known.add(request.url).size) return Promise.resolve(taken);
      open++;
      return end.promise;
    },
  };
  const slow = await Promise.all(
    Array.from({ length: 120 }, (_, n) => outbox.addIntegration(`${receiver.url}/slow/${n}`)),
  );
  for (const hook of slow) await outbox.addDeliveries(hook, 6);
  const dispatcher = outbox.startDispatcher({ outbound });
  dispatcher.wake(slow);
  await outbox.until(
    async () => open,
    (count) => count >= 256,
  );
  const healthy = await outbox.addIntegration(receiver.url);
  await outbox.addDeliveries(healthy, 10);
  dispatcher.wake([healthy]);
  await receiver.received(10);
  // Each may have sent one more before it was known to be slow.
  expect(open).toBeLessThanOrEqual(256 + 120);
  end.resolve(taken);
});

test('receivers that hang, with bodies that fill what a worker may hold, do not delay the others', async () => {
  const real = createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8') });
  const end = Promise.withResolvers<OutboundResult>();
  const outbound: Outbound = {
    ...real,
    request: (request) => (request.url.endsWith('/hangs') ? end.promise : real.request(request)),
  };
  const deaf = await Promise.all(
    Array.from({ length: 8 }, () => outbox.addIntegration(`${receiver.url}/hangs`)),
  );
  for (const hook of deaf) await outbox.addDeliveries(hook, 6, LONG_BODY);
  const dispatcher = outbox.startDispatcher({ outbound });
  dispatcher.wake(deaf);
  const readHeldBytes = async () => {
    const { rows } = await sql<{ bytes: number | null }>`
      select sum(octet_length(body))::int8 as bytes from deliveries where leased_until is not null`.execute(
      outbox.db,
    );
    return rows[0]?.bytes ?? 0;
  };
  await outbox.until(readHeldBytes, (bytes) => bytes >= 32 * MB);

  const others = await Promise.all([1, 2].map(() => outbox.addIntegration(receiver.url)));
  for (const hook of others) await outbox.addDeliveries(hook, 5);
  dispatcher.wake(others);
  await receiver.received(10);
  // Even now a new delivery needs no claim, unless it is long or another one waits before it.
  const fresh = await outbox.addIntegration(receiver.url);
  expect(dispatcher.reserve(fresh, LONG_BODY.length)).toBe(false);
  expect(dispatcher.reserve(fresh, 100)).toBe(true);
  expect(dispatcher.reserve(fresh, 100)).toBe(false);
  dispatcher.drop(fresh);
  // One claim may exceed the limit.
  expect(await readHeldBytes()).toBeLessThan(48 * MB);
  end.resolve({ ok: false, reason: 'timeout', durationMs: 15_000, detail: '' });
});

test('long bodies for many receivers are claimed a few at a time, and all arrive', async () => {
  const hooks = await Promise.all(
    Array.from({ length: 12 }, (_, n) => outbox.addIntegration(`${receiver.url}/${n}`)),
  );
  for (const hook of hooks) await outbox.addDeliveries(hook, 3, LONG_BODY);
  const [short = 0] = await outbox.addDeliveries(hooks.at(-1)!, 1);
  const quotas = hooks.map((integrationId) => ({ integrationId, quota: 5 }));
  const claims = await claimDeliveries(outbox.pool, quotas);
  // Long bodies never hold back a short one.
  expect(claims.map(({ id }) => id)).toContain(short);
  expect(claims.length).toBeLessThan(12);
  await sql`update deliveries set leased_until = null`.execute(outbox.db);
  outbox.startDispatcher().wake(hooks);
  await outbox.until(unfinished, (rows) => rows.length === 0);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(37);
});

test('what a worker claimed and never recorded is sent again by another, the same id and bytes', async () => {
  // Its requests arrive, but it never learns how they ended, as if it had been killed.
  const real = createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8') });
  const dying: Outbound = {
    request: async (request) => {
      await real.request(request);
      return new Promise(() => {});
    },
    close: () => real.close(),
  };
  const hook = await outbox.addIntegration(receiver.url);
  const [id] = await outbox.addDeliveries(hook, 1);
  const first = outbox.startDispatcher({ outbound: dying });
  first.wake([hook]);
  await receiver.received(1);
  // Stopping, it claims nothing more; it would wait for the end of its request, which never comes.
  void first.stop();
  first.stop = async () => {};

  const leased = await outbox.delivery(id!);
  expect(leased.leased_until.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  const second = outbox.startDispatcher();
  const other = await outbox.addIntegration(`${receiver.url}/other`);
  await outbox.addDeliveries(other, 1);
  second.wake([hook, other]);
  await receiver.received(2);
  expect(receiver.requests[1]?.path).toBe('/hook/other');

  await sql`update deliveries set leased_until = now() - interval '1 second' where id = ${id!}`.execute(
    outbox.db,
  );
  const requests = await receiver.received(3);
  await outbox.until(unfinished, (rows) => rows.length === 0);
  expect(requests[2]?.headers['webhook-id']).toBe(requests[0]?.headers['webhook-id']);
  expect(requests[2]?.body).toEqual(requests[0]?.body);
  expect(receiver.requests).toHaveLength(3);
  await real.close();
});

test('stopping finishes what is on the wire and gives the rest back', async () => {
  receiver.script([], { status: 200, delayMs: 100 });
  const hook = await outbox.addIntegration(receiver.url);
  await outbox.addDeliveries(hook, 50);
  const dispatcher = outbox.startDispatcher();
  dispatcher.wake([hook]);
  await receiver.received(3);
  await dispatcher.stop();
  const { rows } = await sql<{ state: string; leased: number; count: number }>`
    select state, count(leased_until) as leased, count(*) from deliveries group by state order by state`.execute(
    outbox.db,
  );
  const sent = receiver.requests.length;
  expect(rows).toEqual([
    { state: 'delivered', leased: 0, count: sent },
    { state: 'pending', leased: 0, count: 50 - sent },
  ]);
});

test('a worker that stood still gives nothing back that another one has claimed meanwhile', async () => {
  let answerFirst = () => {};
  receiver.script([
    (response) => {
      answerFirst = () => response.end();
    },
  ]);
  const hook = await outbox.addIntegration(receiver.url);
  await outbox.addDeliveries(hook, 5);
  const dispatcher = outbox.startDispatcher();
  dispatcher.wake([hook]);
  await receiver.received(1);
  const { rows: claimed } = await sql<{ id: number }>`
    select id from deliveries where leased_until is not null order by id`.execute(outbox.db);
  expect(claimed.length).toBeGreaterThan(2);
  // The clock passes the end of the lease. Another process has claimed all of them again but the last, whose lease is over.
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 62_000);
  try {
    const last = claimed.at(-1)?.id ?? 0;
    await sql`update deliveries set leased_until = now() + (case when id = ${last} then -2 else 59 end) * interval '1 second'
      where leased_until is not null`.execute(outbox.db);
    const stopped = dispatcher.stop();
    answerFirst();
    await stopped;
    const { rows } = await sql<{ id: number }>`
      select id from deliveries where state = 'pending' and leased_until > now() order by id`.execute(
      outbox.db,
    );
    // The first was on the wire.
    expect(rows).toEqual(claimed.slice(1, -1));
  } finally {
    clock.mockRestore();
  }
});

test('a database that fails for a while stops nothing for good', async () => {
  const hook = await outbox.addIntegration(receiver.url);
  const dispatcher = outbox.startDispatcher();
  await outbox.addDeliveries(hook, 1);
  dispatcher.wake([hook]);
  await outbox.until(unfinished, (rows) => rows.length === 0);
  await sql`alter table deliveries rename to deliveries_away`.execute(outbox.db);
  dispatcher.wake([hook]);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await sql`alter table deliveries_away rename to deliveries`.execute(outbox.db);
  await outbox.addDeliveries(hook, 1);
  await receiver.received(2);
  await outbox.until(unfinished, (rows) => rows.length === 0);
});

test('with few requests at a time all integrations have their turn, and what is new comes first', async () => {
  const hooks = [1, 2, 3, 4].map((n) => outbox.addIntegration(`${receiver.url}/${n}`));
  const [first = 0, second = 0, third = 0, fresh = 0] = await Promise.all(hooks);
  receiver.script([], { status: 200, delayMs: 5 });
  for (const hook of [first, second, third]) await outbox.addDeliveries(hook, 100);
  const dispatcher = outbox.startDispatcher({ isUnderPressure: true });
  await receiver.received(60);
  const counts = [1, 2, 3].map((n) => receiver.requests.filter(({ path }) => path.endsWith(`/${n}`)).length);
  expect(Math.min(...counts)).toBeGreaterThan(5);

  expect(dispatcher.reserve(fresh, 100)).toBe(true);
  const [id = 0] = await outbox.addDeliveries(fresh, 1);
  const { form_id: formId, webhook_id: webhookId, body } = await outbox.delivery(id);
  dispatcher.take({ formId, id, integrationId: fresh, webhookId, body, attemptsMade: 0 }, performance.now());
  await receiver.received(301);
  const place = receiver.requests.findIndex(({ path }) => path.endsWith('/4'));
  expect(place).toBeLessThan(200);
});
