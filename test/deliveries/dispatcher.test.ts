import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RETRY_STEPS_MS } from '../../server/deliveries/retry-schedule.ts';
import { signBody, signingKeys } from '../../server/deliveries/signature.ts';
import type { OutboundResult } from '../../server/outbound/response.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';
import { type Outbox, openOutbox } from './outbox.ts';

const SECRET = 'a secret of the receiver';
const OTHER_SECRET = 'another secret of the receiver';
/** A wait may be lengthened by up to 20 %; the dispatchers of these tests lengthen it by half of that. */
const LENGTHENED = 1.1;
/** The dispatcher uses what it has read of an integration for up to 100 ms. */
const LONGER_THAN_A_LEASE_MS = 150;

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

/** The delivery, once its n-th attempt is recorded. */
function afterAttempt(deliveryId: number, attempt: number) {
  return outbox.until(
    () => outbox.delivery(deliveryId),
    (delivery) => delivery.attempts === attempt,
  );
}

function integration(id: number) {
  return outbox.db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Adds one delivery and wakes the dispatcher. @returns its id */
async function deliverOne(integrationId: number, dispatcher = outbox.startDispatcher()): Promise<number> {
  const [id] = await outbox.addDeliveries(integrationId, 1);
  dispatcher.wake([integrationId]);
  return id!;
}

describe('one delivery', () => {
  test('is sent at once, with the frozen bytes, our headers and the custom ones', async () => {
    const headers = {
      'X-Team': 'blue',
      'user-agent': 'Own/1',
      'content-type': 'text/plain',
      'Webhook-Id': 'x',
    };
    const hook = await outbox.addIntegration(receiver.url, { webhook_headers: headers });
    const id = await deliverOne(hook);
    const [request] = await receiver.received(1);
    const delivery = await afterAttempt(id, 1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request?.body.toString()).toBe('{"submission_id":1}');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '19',
      'user-agent': 'Own/1',
      'x-team': 'blue',
      'webhook-id': delivery.webhook_id,
    });
    expect(Math.abs(Number(request?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(request?.headers).not.toHaveProperty('x-webhook-signature');
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(delivery).toMatchObject({ state: 'delivered', leased_until: null });
    expect(delivery.finished_at).toBeInstanceOf(Date);
    expect(await outbox.attempts(id)).toMatchObject([
      { attempt: 1, integration_id: hook, status_code: 200, failure: null },
    ]);
  });

  test('is signed in both ways when there is a secret', async () => {
    const hook = await outbox.addIntegration(receiver.url, { webhook_secret: SECRET });
    const [id] = await outbox.addDeliveries(hook, 1, '{"text":"Zoë 🙂","submission_id":');
    outbox.startDispatcher().wake([hook]);
    const [request] = await receiver.received(1);
    expect(request?.headers['user-agent']).toMatch(/^Formstead\/\d+\.\d+\.\d+/);
    expect(request?.headers['x-webhook-signature']).toBe(signBody(signingKeys(SECRET), request!.body));
    const webhook = new Webhook(Buffer.from(SECRET).toString('base64'));
    const verified = webhook.verify(request!.body.toString(), request!.headers as Record<string, string>);
    expect(verified).toEqual({ text: 'Zoë 🙂', submission_id: 1 });
    await afterAttempt(id!, 1);
  });

  test('is found without being told of, by the next search', async () => {
    const hook = await outbox.addIntegration(receiver.url);
    outbox.startDispatcher();
    await outbox.addDeliveries(hook, 1);
    await receiver.received(1);
  });

  test('keeps the first bytes of what the receiver said', async () => {
    receiver.script([{ status: 500, body: `\u0000"${'ä'.repeat(5000)}` }]);
    const id = await deliverOne(await outbox.addIntegration(receiver.url));
    await afterAttempt(id, 1);
    const [attempt] = await outbox.attempts(id);
    expect(attempt.response_excerpt).toMatch(/^\uFFFD"ä+$/);
    expect(Buffer.byteLength(attempt.response_excerpt)).toBeLessThanOrEqual(2050);
  });
});

describe('a delivery that fails', () => {
  test('is tried twelve times on the schedule, with the same id and bytes, and then is exhausted', async () => {
    receiver.script([], 500);
    const hook = await outbox.addIntegration(receiver.url);
    const dispatcher = outbox.startDispatcher();
    const id = await deliverOne(hook, dispatcher);
    for (let attempt = 1; attempt < 12; attempt++) {
      const delivery = await afterAttempt(id, attempt);
      const recorded = await sql<{ wait: number }>`
        select extract(epoch from ${delivery.next_attempt_at}::timestamptz - (started_at + make_interval(secs => duration_ms / 1000.0)))::float8 * 1000 as wait
        from delivery_attempts where delivery_id = ${id} and attempt = ${attempt}`.execute(outbox.db);
      const wait = recorded.rows[0]!.wait;
      const expected = RETRY_STEPS_MS[attempt]! * LENGTHENED;
      expect(wait).toBeGreaterThan(expected - 10);
      expect(wait).toBeLessThan(expected + 2000);
      expect(delivery).toMatchObject({ state: 'pending', leased_until: null, finished_at: null });
      await outbox.makeDue();
      dispatcher.wake([hook]);
    }
    const delivery = await afterAttempt(id, 12);
    expect(delivery).toMatchObject({ state: 'exhausted' });
    expect(delivery.finished_at).toBeInstanceOf(Date);
    expect((await outbox.attempts(id)).map(({ attempt }) => attempt)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(receiver.requests).toHaveLength(12);
  });

  test('a redirect is a failure and is not followed', async () => {
    receiver.script([{ status: 307, headers: { location: `${receiver.url}/elsewhere` } }]);
    const id = await deliverOne(await outbox.addIntegration(receiver.url));
    expect(await afterAttempt(id, 1)).toMatchObject({ state: 'pending' });
    expect(await outbox.attempts(id)).toMatchObject([{ status_code: 307 }]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('a Retry-After is honoured', async () => {
    receiver.script([{ status: 429, headers: { 'retry-after': '3600' } }]);
    const id = await deliverOne(await outbox.addIntegration(receiver.url));
    const delivery = await afterAttempt(id, 1);
    const wait = delivery.next_attempt_at.getTime() - Date.now();
    expect(wait).toBeGreaterThan(3590_000);
    expect(wait).toBeLessThan(3601_000);
  });

  test('the reason is recorded when no answer came', async () => {
    await receiver.close();
    const id = await deliverOne(await outbox.addIntegration(receiver.url));
    await afterAttempt(id, 1);
    expect(await outbox.attempts(id)).toMatchObject([
      { status_code: null, failure: 'connect_failed', failure_detail: expect.stringMatching(/ECONNREFUSED/) },
    ]);
    receiver = await startWebhookReceiver();
  });

  test('an attempt with words that the database refuses is counted without them', async () => {
    const zero = 'a\0b';
    const answers: OutboundResult[] = [
      { ok: true, status: 500, headers: {}, bodyExcerpt: zero, durationMs: 1 },
      { ok: false, reason: 'connect_failed', detail: zero, durationMs: 1 },
    ];
    const outbound = { request: async () => answers.shift()!, close: async () => {} };
    const dispatcher = outbox.startDispatcher({ outbound });
    const id = await deliverOne(await outbox.addIntegration(receiver.url), dispatcher);
    await afterAttempt(id, 1);
    await outbox.makeDue();
    expect(await afterAttempt(id, 2)).toMatchObject({ state: 'pending', leased_until: null });
    expect(await outbox.attempts(id)).toMatchObject([
      { status_code: 500, response_excerpt: null },
      { failure: 'connect_failed', failure_detail: null },
    ]);
  });

  test('a forbidden address is never called', async () => {
    const id = await deliverOne(await outbox.addIntegration('http://10.0.0.1/hook'));
    await afterAttempt(id, 1);
    expect(await outbox.attempts(id)).toMatchObject([{ failure: 'blocked_address' }]);
  });

  test('the secret, URL and headers of the moment are used at every attempt', async () => {
    receiver.script([500]);
    const hook = await outbox.addIntegration(receiver.url, { webhook_secret: SECRET });
    const id = await deliverOne(hook);
    await afterAttempt(id, 1);
    await outbox.setSecrets(hook, { webhook_secret: OTHER_SECRET, webhook_headers: { 'X-New': 'yes' } });
    await outbox.makeDue();
    const [first, second] = await receiver.received(2);
    expect(first?.headers['x-webhook-signature']).toBe(signBody(signingKeys(SECRET), first!.body));
    expect(second?.headers['x-webhook-signature']).toBe(signBody(signingKeys(OTHER_SECRET), second!.body));
    expect(second?.headers['x-new']).toBe('yes');
    expect(second?.body).toEqual(first?.body);
  });

  test('a new secret is in force a tenth of a second after its commit, also for what was claimed before', async () => {
    receiver.script([], { status: 200, delayMs: 20 });
    const hook = await outbox.addIntegration(receiver.url, { webhook_secret: SECRET });
    await outbox.addDeliveries(hook, 400);
    outbox.startDispatcher().wake([hook]);
    await receiver.received(100);
    await outbox.setSecrets(hook, { webhook_secret: OTHER_SECRET });
    const changedAt = performance.now();
    const requests = await receiver.received(400);
    const later = requests.filter(({ at }) => at > changedAt + 400);
    expect(later.length).toBeGreaterThan(10);
    for (const { headers, body } of later)
      expect(headers['x-webhook-signature']).toBe(signBody(signingKeys(OTHER_SECRET), body));
  });

  test('goes out also where the database takes long to say where to', async () => {
    const slow: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => delay(LONGER_THAN_A_LEASE_MS, result),
    };
    const hook = await outbox.addIntegration(receiver.url);
    const ids = await outbox.addDeliveries(hook, 3);
    outbox.startDispatcher({ db: outbox.db.withPlugin(slow) }).wake([hook]);
    await receiver.received(3);
    for (const id of ids) expect(await afterAttempt(id, 1)).toMatchObject({ state: 'delivered' });
  });

  test('a key that does not open the secrets fails the attempt: nothing is sent unsigned', async () => {
    const hook = await outbox.addIntegration(receiver.url, { webhook_secret: SECRET });
    await outbox.db
      .updateTable('integrations')
      .set({ secrets_encrypted: Buffer.alloc(64, 1) })
      .where('id', '=', hook)
      .execute();
    const id = await deliverOne(hook);
    expect(await afterAttempt(id, 1)).toMatchObject({ state: 'pending' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('an integration', () => {
  test('becomes inactive on 410, with a reason, and its deliveries wait for its return', async () => {
    receiver.script([410]);
    const hook = await outbox.addIntegration(receiver.url);
    const id = await deliverOne(hook);
    const row = await outbox.until(
      () => integration(hook),
      ({ status }) => status === 'inactive',
    );
    expect(row.inactive_reason).toBe('The receiver answered 410 Gone.');
    const form = await outbox.db.selectFrom('forms').select('revision').executeTakeFirstOrThrow();
    expect(form.revision).toBe(2);
    await outbox.until(
      async () => outbox.forgotten,
      (ids) => ids.includes(outbox.formId),
    );

    const dispatcher = outbox.startDispatcher();
    await outbox.makeDue();
    dispatcher.wake([hook]);
    await deliverOne(await outbox.addIntegration(`${receiver.url}/other`), dispatcher);
    await receiver.received(2);
    expect(receiver.requests[1]?.path).toBe('/hook/other');
    expect(await outbox.delivery(id)).toMatchObject({ state: 'pending', attempts: 1 });

    await outbox.db.updateTable('integrations').set({ status: 'active' }).where('id', '=', hook).execute();
    await receiver.received(3);
    expect(await afterAttempt(id, 2)).toMatchObject({ state: 'delivered' });
  });

  test('is not judged by what its former receiver answers', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    receiver.script([(response) => held.resolve(response)]);
    const hook = await outbox.addIntegration(receiver.url);
    const dispatcher = outbox.startDispatcher();
    const id = await deliverOne(hook, dispatcher);
    const response = await held.promise;
    await outbox.db
      .updateTable('integrations')
      .set({ data: JSON.stringify({ webhook_url: `${receiver.url}/moved` }) })
      .where('id', '=', hook)
      .execute();
    response.writeHead(410).end();
    await afterAttempt(id, 1);
    await dispatcher.stop();
    expect(await integration(hook)).toMatchObject({ status: 'active', failing_since: null });
    expect(outbox.forgotten).toEqual([]);
  });

  test('is made inactive once, however many answers ask for it', async () => {
    receiver.script([], 410);
    const hook = await outbox.addIntegration(receiver.url);
    await outbox.addDeliveries(hook, 20);
    const dispatchers = [outbox.startDispatcher(), outbox.startDispatcher(), outbox.startDispatcher()];
    for (const dispatcher of dispatchers) dispatcher.wake([hook]);
    await outbox.until(
      () => outbox.db.selectFrom('deliveries').select('id').where('leased_until', 'is not', null).execute(),
      (leased) => receiver.requests.length > 1 && leased.length === 0,
    );
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    const form = await outbox.db.selectFrom('forms').select('revision').executeTakeFirstOrThrow();
    expect(form.revision).toBe(2);
    expect(outbox.forgotten).toEqual([outbox.formId]);
  });

  test('becomes inactive after five days of nothing but failures', async () => {
    receiver.script([500, 500]);
    const hook = await outbox.addIntegration(receiver.url);
    const id = await deliverOne(hook);
    await afterAttempt(id, 1);
    const { failing_since } = await outbox.until(
      () => integration(hook),
      (row) => row.failing_since !== null,
    );
    expect(Date.now() - failing_since!.getTime()).toBeLessThan(60_000);
    expect(await integration(hook)).toMatchObject({ status: 'active' });
    await sql`update integrations set failing_since = now() - interval '5 days 1 second'`.execute(outbox.db);
    await sql`update deliveries set attempts = 11`.execute(outbox.db);
    await outbox.makeDue();
    const row = await outbox.until(
      () => integration(hook),
      ({ status }) => status === 'inactive',
    );
    expect(row.inactive_reason).toBe('Every delivery has failed for five days.');
  });

  test('stays active where the first failure after a quiet month follows one of before', async () => {
    receiver.script([500, 200]);
    const hook = await outbox.addIntegration(receiver.url);
    await sql`update integrations set failing_since = now() - interval '30 days'`.execute(outbox.db);
    const id = await deliverOne(hook);
    await afterAttempt(id, 1);
    await outbox.makeDue();
    expect(await afterAttempt(id, 2)).toMatchObject({ state: 'delivered' });
    expect(await integration(hook)).toMatchObject({ status: 'active', failing_since: null });
  });

  test('starts anew with one success', async () => {
    receiver.script([500, 200]);
    const hook = await outbox.addIntegration(receiver.url);
    const id = await deliverOne(hook);
    await afterAttempt(id, 1);
    await sql`update integrations set failing_since = now() - interval '6 days'`.execute(outbox.db);
    await outbox.makeDue();
    await afterAttempt(id, 2);
    expect(await integration(hook)).toMatchObject({ status: 'active', failing_since: null });
  });

  test('that is made inactive is not called any more, but for what is on the wire', async () => {
    receiver.script([], { status: 200, delayMs: 20 });
    const hook = await outbox.addIntegration(receiver.url);
    await outbox.addDeliveries(hook, 400);
    outbox.startDispatcher().wake([hook]);
    await receiver.received(100);
    await outbox.db.updateTable('integrations').set({ status: 'inactive' }).where('id', '=', hook).execute();
    const changedAt = performance.now();
    // Claimed deliveries are released, because they may no longer be sent.
    await outbox.until(
      () => outbox.db.selectFrom('deliveries').select('id').where('leased_until', 'is not', null).execute(),
      (leased) => leased.length === 0,
    );
    expect(receiver.requests.filter(({ at }) => at > changedAt + 400)).toEqual([]);
    expect(receiver.requests.length).toBeLessThan(400);
  });

  test('that is deleted is not called any more, and its attempts on the wire do not revive anything', async () => {
    let release = () => {};
    receiver.script([(response) => (release = () => response.writeHead(500).end())]);
    const hook = await outbox.addIntegration(receiver.url);
    const id = await deliverOne(hook);
    await receiver.received(1);
    await outbox.db.deleteFrom('integrations').where('id', '=', hook).execute();
    await sql`update deliveries set state = 'cancelled', finished_at = now()`.execute(outbox.db);
    release();
    expect(await afterAttempt(id, 1)).toMatchObject({ state: 'cancelled' });
  });
});
