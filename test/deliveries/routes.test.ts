import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { signBody, signingKeys } from '../../server/deliveries/signature.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

const SECRET = 'a secret of the receiver';

const home = useHome();
let receiver: WebhookReceiver;
let form: any;
let integrationId: number;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  form = await home.form();
  integrationId = await anIntegration(form.id);
  return () => receiver.close();
});

const { call } = home;

async function anIntegration(formId: number, data: Record<string, unknown> = {}): Promise<number> {
  const answer = await call('POST', `/open/forms/${formId}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: receiver.url, ...data },
  });
  expect(answer.status).toBe(200);
  return answer.body.form_integration.id;
}

function path(rest: string, ids = { form: form.id, integration: integrationId }): string {
  return `/open/forms/${ids.form}/integrations/${ids.integration}${rest}`;
}

async function submit(name: string): Promise<void> {
  const answer = await home.submit(form, { [TEXT_FIELD_ID]: name });
  expect(answer.status).toBe(200);
}

/** The deliveries of the integration, once `count` attempts are recorded. */
async function afterAttempts(count: number): Promise<any[]> {
  for (;;) {
    const { body } = await call('GET', path('/deliveries'));
    if (body.reduce((sum: number, delivery: any) => sum + delivery.attempts, 0) >= count) return body;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a submission arrives at the receiver', async () => {
  await submit('Ada');
  const [request] = await receiver.received(1);
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    form_id: form.id,
    form_slug: form.slug,
    submission: { Name: 'Ada' },
    data: { [TEXT_FIELD_ID]: { value: 'Ada', name: 'Name', type: 'text' } },
    submission_id: expect.any(Number),
  });
});

describe('once a change of the integration was answered', () => {
  /** Requests to one integration at a time: so many may be on the wire when it changes. */
  const ON_THE_WIRE = 5;

  async function queueUp(count: number): Promise<void> {
    await sql`insert into deliveries (form_id, integration_id, submission_id, body)
      select ${form.id}, ${integrationId}, n, '{}' from generate_series(1, ${count}::int) n`.execute(
      home.service.context.db,
    );
    home.service.context.dispatcher.wake([integrationId]);
  }

  test('every request is signed with the new secret', async () => {
    receiver.script([], { status: 200, delayMs: 20 });
    integrationId = await anIntegration(form.id, { webhook_secret: SECRET });
    await queueUp(300);
    await receiver.received(50);
    const newSecret = 'the next secret of the receiver';
    await call('PUT', path(''), { integration_id: 'webhook', data: { webhook_secret: newSecret } });
    const before = receiver.requests.length;
    const later = (await receiver.received(300)).slice(before + ON_THE_WIRE);
    expect(later.length).toBeGreaterThan(50);
    for (const { headers, body } of later)
      expect(headers['x-webhook-signature']).toBe(signBody(signingKeys(newSecret), body));
  });

  test.each(['deactivated', 'deleted'])('nothing more is sent when it was %s', async (change) => {
    receiver.script([], { status: 200, delayMs: 20 });
    await queueUp(300);
    await receiver.received(50);
    if (change === 'deleted') await call('DELETE', path(''));
    else await call('PUT', path(''), { integration_id: 'webhook', status: 'inactive', data: {} });
    const before = receiver.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests.length).toBeLessThanOrEqual(before + ON_THE_WIRE);
    expect(receiver.requests.length).toBeLessThan(300);
    const { rows } = await sql<{ state: string }>`
      select distinct state from deliveries where integration_id = ${integrationId} and attempts = 0`.execute(
      home.service.context.db,
    );
    expect(rows).toEqual([{ state: change === 'deleted' ? 'cancelled' : 'pending' }]);
  });
});

describe('events', () => {
  test('are the attempts, the latest first, in the shape of the family with more members', async () => {
    receiver.script([{ status: 500, body: '{"error":"broken"}' }]);
    await submit('Ada');
    await afterAttempts(1);
    await sql`update deliveries set next_attempt_at = now()`.execute(home.service.context.db);
    await afterAttempts(2);
    const { status, body } = await call('GET', path('/events'));
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { status: 'Success', data: {}, attempt: 2, status_code: 200, next_attempt_at: null },
      {
        status: 'Error',
        data: {
          message: 'The receiver answered with status 500.',
          response: { error: 'broken' },
          status: 500,
        },
        attempt: 1,
        status_code: 500,
        failure: null,
        response_excerpt: '{"error":"broken"}',
      },
    ]);
    expect(Date.parse(body[0].date)).toBeGreaterThan(Date.parse(body[1].date));
    expect(body[0].delivery_id).toBe(body[1].delivery_id);
    expect(body[0]).toMatchObject({ submission_id: expect.any(Number), duration_ms: expect.any(Number) });
  });

  test('show the next attempt and the reason when no answer came', async () => {
    await receiver.close();
    await submit('Ada');
    await afterAttempts(1);
    const { body } = await call('GET', path('/events'));
    expect(body).toMatchObject([
      {
        status: 'Error',
        data: { message: expect.any(String) },
        failure: 'connect_failed',
        status_code: null,
      },
    ]);
    expect(Date.parse(body[0].next_attempt_at)).toBeGreaterThan(Date.parse(body[0].date));
    receiver = await startWebhookReceiver();
  });

  test('come in pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await submit(name);
    await afterAttempts(5);
    const all = (await call('GET', path('/events'))).body;
    expect(all).toHaveLength(5);
    const first = (await call('GET', path('/events?limit=2'))).body;
    const second = (await call('GET', path(`/events?limit=2&before=${first[1].id}`))).body;
    const third = (await call('GET', path(`/events?limit=2&before=${second[1].id}`))).body;
    expect([...first, ...second, ...third]).toEqual(all);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'before=x', 'before=1']) {
      expect((await call('GET', path(`/events?${query}`))).status).toBe(422);
    }
  });
});

describe('deliveries', () => {
  test('can be listed by state, and read with body and attempts', async () => {
    receiver.script([500]);
    await submit('Ada');
    await afterAttempts(1);
    await submit('Bob');
    const all = await afterAttempts(2);
    expect(all.map(({ state }) => state)).toEqual(['delivered', 'pending']);
    const pending = (await call('GET', path('/deliveries?state=pending'))).body;
    expect(pending).toEqual([all[1]]);
    expect(pending[0]).toMatchObject({ attempts: 1, finished_at: null, integration_id: integrationId });
    expect((await call('GET', path(`/deliveries?before=${all[0].id}&limit=1`))).body).toEqual([all[1]]);
    expect((await call('GET', path('/deliveries?state=lost'))).status).toBe(422);
    expect(all.map(({ last_attempt }) => last_attempt.status_code)).toEqual([200, 500]);

    const one = await call('GET', path(`/deliveries/${all[0].id}`));
    expect(one.body).toMatchObject({ ...all[0], attempt_log: [{ attempt: 1, status_code: 200 }] });
    expect(one.body.body).toBe(receiver.requests[1]?.body.toString());
  });

  test('can be listed by the time of their creation', async () => {
    for (const name of ['a', 'b']) await submit(name);
    const [b, a] = await afterAttempts(2);
    const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    await sql`update deliveries set created_at = ${first} where id = ${a.id}`.execute(
      home.service.context.db,
    );
    await sql`update deliveries set created_at = ${second} where id = ${b.id}`.execute(
      home.service.context.db,
    );
    const listed = async (query: string) =>
      (await call('GET', path(`/deliveries?${query}`))).body.map(({ id }: { id: number }) => id);
    expect(await listed(`since=${second}`)).toEqual([b.id]);
    expect(await listed(`until=${second}`)).toEqual([a.id]);
    for (const same of ['2026-01-02', '2026-01-02T00:00Z', '2026-01-02 00:00', '2026-01-02t02:00:00%2b02:00'])
      expect([same, await listed(`since=${same}`)]).toEqual([same, [b.id]]);
    expect(await listed(`since=${first}&until=2026-01-03T00:00:00Z`)).toEqual([b.id, a.id]);
    expect((await call('GET', path('/deliveries?since=yesterday'))).status).toBe(422);
  });

  test('one can be sent again, with the same id and bytes and all attempts ahead', async () => {
    receiver.script([200], 500);
    await submit('Ada');
    const [delivery] = await afterAttempts(1);
    const answer = await call('POST', path(`/deliveries/${delivery.id}/replay`));
    expect(answer).toMatchObject({ status: 200, body: { type: 'success' } });
    const [first, second] = await receiver.received(2);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [again] = await afterAttempts(2);
    expect(again).toMatchObject({ state: 'pending', finished_at: null });
    // A new schedule begins with its first wait, 5 to 6 seconds.
    expect(Date.parse(again.next_attempt_at) - Date.now()).toBeLessThan(6100);
  });

  test('an exhausted one starts over', async () => {
    receiver.script([500]);
    await submit('Ada');
    const [delivery] = await afterAttempts(1);
    await sql`update deliveries set state = 'exhausted', attempts = 12, finished_at = now() where id = ${delivery.id}`.execute(
      home.service.context.db,
    );
    await call('POST', path(`/deliveries/${delivery.id}/replay`));
    await receiver.received(2);
    expect(await afterAttempts(13)).toMatchObject([{ state: 'delivered', attempts: 13 }]);
  });

  test.each([
    ['the last attempt of all', 11],
    ['one before a wait of hours', 9],
  ])('one sent again during %s starts over at once', async (_, attempts) => {
    let fail = () => {};
    receiver.script([
      500,
      (response) => {
        fail = () => response.writeHead(500).end();
      },
    ]);
    await submit('Ada');
    const [delivery] = await afterAttempts(1);
    await sql`update deliveries set attempts = ${attempts}, next_attempt_at = now() where id = ${delivery.id}`.execute(
      home.service.context.db,
    );
    await receiver.received(2);
    expect((await call('POST', path(`/deliveries/${delivery.id}/replay`))).status).toBe(200);
    fail();
    await receiver.received(3);
    const [again] = await afterAttempts(attempts + 2);
    expect(again).toMatchObject({ state: 'delivered', attempts: attempts + 2 });
    const { rows } = await sql<any>`select attempts - attempts_before_replay as made from deliveries
      where id = ${delivery.id}`.execute(home.service.context.db);
    expect(rows).toEqual([{ made: 1 }]);
  });

  test('are counted by state, as a replay of the same time would find them', async () => {
    for (const name of ['a', 'b', 'c']) await submit(name);
    const [, b, a] = await afterAttempts(3);
    const { db } = home.service.context;
    await sql`update deliveries set created_at = '2026-01-01T00:00:00Z' where id = ${a.id}`.execute(db);
    await sql`update deliveries set state = 'exhausted' where id = ${b.id}`.execute(db);
    const counted = async (query: string) => (await call('GET', path(`/deliveries/count${query}`))).body;
    const none = { pending: 0, delivered: 0, exhausted: 0, cancelled: 0 };
    expect(await counted('')).toEqual({ ...none, delivered: 2, exhausted: 1 });
    expect(await counted('?since=2026-01-02')).toEqual({ ...none, delivered: 1, exhausted: 1 });
    expect(await counted('?until=2026-01-02')).toEqual({ ...none, delivered: 1 });
    expect((await call('GET', path('/deliveries/count?since=yesterday'))).status).toBe(422);
  });

  test('all since a time can be sent again, in one state or any', async () => {
    for (const name of ['a', 'b', 'c']) await submit(name);
    const all = await afterAttempts(3);
    const [c, b, a] = all;
    await sql`update deliveries set created_at = '2026-01-01T00:00:00Z' where id = ${a.id}`.execute(
      home.service.context.db,
    );
    await sql`update deliveries set created_at = '2026-01-02T00:00:00Z', state = 'exhausted' where id = ${b.id}`.execute(
      home.service.context.db,
    );
    const replay = (body?: object | null) => call('POST', path('/deliveries/replay'), body);
    expect((await replay({ since: '2026-01-01T00:00:01Z', state: 'exhausted' })).body).toMatchObject({
      type: 'success',
      message: '1 delivery is sent again.',
      count: 1,
    });
    await afterAttempts(4);
    expect((await replay({ since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:01Z' })).body.count).toBe(
      2,
    );
    await afterAttempts(6);
    expect((await replay({ since: '2026-01-01T00:00:01' })).body.count).toBe(2);
    await afterAttempts(8);
    const counts = new Map<string, number>();
    for (const { headers } of receiver.requests) {
      const id = String(headers['webhook-id']);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect([a, b, c].map(({ webhook_id }) => counts.get(webhook_id))).toEqual([2, 4, 2]);
    expect((await replay({ since: 'yesterday' })).status).toBe(422);
    expect((await replay({})).body.errors).toHaveProperty('since');
    expect((await replay({ since: 'x', until: 'y', state: 'z' })).body.errors).toEqual({
      since: ['The since is not a valid date.'],
      until: ['The until is not a valid date.'],
      state: ['The selected state is invalid.'],
    });
    for (const nothing of [undefined, null])
      expect((await replay(nothing)).body.errors).toEqual({ body: ['The body must be a JSON object.'] });
    const gone = `/open/forms/${form.id}/integrations/999999/deliveries/replay`;
    expect((await call('POST', gone, {})).status).toBe(404);
  });

  test('of an inactive integration wait for its return', async () => {
    await submit('Ada');
    const [delivery] = await afterAttempts(1);
    await call('PUT', path(''), { integration_id: 'webhook', status: 'inactive', data: {} });
    const answer = await call('POST', path(`/deliveries/${delivery.id}/replay`));
    expect(answer.body.message).toBe('The delivery is sent again as soon as the integration is active.');
    await call('PUT', path(''), { integration_id: 'webhook', status: 'active', data: {} });
    await receiver.received(2);
  });

  test('are bound to their form and integration', async () => {
    await submit('Ada');
    const [delivery] = await afterAttempts(1);
    const otherForm = await home.form();
    const otherIntegration = await anIntegration(form.id);
    const foreign = await anIntegration(otherForm.id);
    const wrong = [
      { form: form.id, integration: otherIntegration },
      { form: otherForm.id, integration: integrationId },
      { form: otherForm.id, integration: foreign },
      { form: form.id, integration: foreign },
      { form: form.id, integration: 999_999 },
    ];
    for (const ids of wrong) {
      expect((await call('GET', path(`/deliveries/${delivery.id}`, ids))).status).toBe(404);
      expect((await call('POST', path(`/deliveries/${delivery.id}/replay`, ids))).status).toBe(404);
    }
    for (const id of ['0', 'x', '01', '99999999999999999999', '999999']) {
      expect((await call('GET', path(`/deliveries/${id}`))).status).toBe(404);
    }
    expect((await call('GET', path('/events', { form: form.id, integration: foreign }))).status).toBe(404);
  });

  test('need manage-integrations and more than reading', async () => {
    const requests: [string, string, unknown?][] = [
      ['GET', path('/events')],
      ['GET', path('/deliveries')],
      ['GET', path('/deliveries/1')],
      ['POST', path('/deliveries/1/replay')],
      ['POST', path('/deliveries/replay'), { since: '2026-01-01T00:00:00Z' }],
      ['POST', path('/test')],
    ];
    const reader = await home.member('readonly');
    const stranger = await home.stranger();
    const weak = await home.tokenWith('forms-read', 'forms-write');
    for (const [method, to, body] of requests) {
      expect((await home.service.request(method, to, { body })).status).toBe(401);
      for (const token of [reader.token, stranger.token, weak]) {
        expect((await call(method, to, body, token)).status).toBe(403);
      }
    }
  });
});

describe('a test delivery', () => {
  test('is sent at once and shows what was sent and what came back', async () => {
    receiver.script([{ status: 202, body: 'thanks' }]);
    integrationId = await anIntegration(form.id, {
      webhook_secret: SECRET,
      webhook_headers: { 'X-Key': 'hidden value' },
    });
    const { status, body, text } = await call('POST', path('/test'));
    expect(status).toBe(200);
    const [request] = receiver.requests;
    expect(request?.headers['x-key']).toBe('hidden value');
    expect(request?.headers['x-webhook-signature']).toBe(signBody(signingKeys(SECRET), request!.body));
    expect(body).toMatchObject({
      type: 'success',
      message: 'The receiver answered with status 202.',
      request: {
        url: receiver.url,
        headers: { 'X-Key': '********', 'X-Webhook-Signature': signBody(signingKeys(SECRET), request!.body) },
        body: request!.body.toString(),
      },
      response: { status: 202, excerpt: 'thanks', duration_ms: expect.any(Number) },
      failure: null,
    });
    expect(text).not.toContain('hidden value');
    expect(text).not.toContain(SECRET);
    expect(JSON.parse(body.request.body)).toMatchObject({ form_id: form.id, data: { [TEXT_FIELD_ID]: {} } });
    expect((await call('GET', path('/deliveries'))).body).toEqual([]);
  });

  test('tells why nothing came back', async () => {
    await receiver.close();
    const { status, body } = await call('POST', path('/test'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'error',
      response: null,
      failure: { reason: 'connect_failed', detail: expect.any(String) },
    });
    receiver = await startWebhookReceiver();
  });
});
