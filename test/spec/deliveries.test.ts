import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aWebhookReceiver, type ReceivedRequest } from '../setup/webhook-receiver.ts';

const home = useHome();

const SECRET = 'a secret of enough characters';

async function integrate(form: { id: number }, url: string, more: any = {}): Promise<any> {
  const { data, ...others } = more;
  const body = { integration_id: 'webhook', data: { webhook_url: url, ...data }, ...others };
  const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}

const change = async (form: { id: number }, id: number, body: object) => {
  const path = `/open/forms/${form.id}/integrations/${id}`;
  const answer = await home.call('PUT', path, { integration_id: 'webhook', data: {}, ...body });
  expect(answer.status, answer.text).toBe(200);
};
const json = (request: ReceivedRequest | undefined) => JSON.parse(request?.body.toString() ?? '');
const below = (form: { id: number }, { id }: { id: number }, rest: string) =>
  `/open/forms/${form.id}/integrations/${id}/${rest}`;

/** A form with a webhook to its own receiver. */
async function hooked(formOverrides: Record<string, unknown> = {}, more: object = {}) {
  const form = await home.form(formOverrides);
  const receiver = await aWebhookReceiver();
  const integration = await integrate(form, receiver.url, more);
  return { form, receiver, integration };
}

describe('the body of a delivery', () => {
  test('carries the fields of the specification with raw values', async () => {
    const [number, checkbox, many, empty] = [
      aField('01', 'number', 'Number'),
      aField('02', 'checkbox', 'Checkbox'),
      aField('03', 'multi_select', 'Many'),
      aField('04', 'text', 'Empty'),
    ];
    const { form, receiver } = await hooked({
      title: 'Ünï "quoted" </script>',
      properties: [aTextField(), number, checkbox, many, empty],
    });
    await home.submit(form, {
      [TEXT_FIELD_ID]: 'Älice\n/',
      [number.id]: 0.5,
      [checkbox.id]: true,
      [many.id]: ['a', 'b'],
      tracking_parameters: { utm_source: 'news', gclid: 'é' },
    });
    const [request] = await receiver.received(1);
    const [record] = await home.records(form);
    expect(json(request)).toEqual({
      form_id: form.id,
      form_title: 'Ünï "quoted" </script>',
      form_slug: form.slug,
      submission_id: record.id,
      submission: { Name: 'Älice\n/', Number: 0.5, Checkbox: true, Many: ['a', 'b'] },
      message: expect.any(String),
      data: {
        [TEXT_FIELD_ID]: { value: 'Älice\n/', name: 'Name', type: 'text' },
        [number.id]: { value: 0.5, name: 'Number', type: 'number' },
        [checkbox.id]: { value: true, name: 'Checkbox', type: 'checkbox' },
        [many.id]: { value: ['a', 'b'], name: 'Many', type: 'multi_select' },
      },
      meta: { attribution: { utm_source: 'news', gclid: 'é' } },
    });
    expect(record.id).toBeTypeOf('number');
  });

  test('has no meta without attribution, and data is an object even when nothing was answered', async () => {
    const { form, receiver } = await hooked();
    await home.submit(form, {});
    const [request] = await receiver.received(1);
    expect(json(request)).not.toHaveProperty('meta');
    expect(json(request)).not.toHaveProperty('edit_link');
    expect(json(request)).toMatchObject({ data: {}, submission: {} });
    expect(Array.isArray(json(request).data)).toBe(false);
  });

  test('carries an edit_link where submissions are editable', async () => {
    const { form, receiver } = await hooked({ editable_submissions: true });
    const { body } = await home.submit(form, {});
    const [request] = await receiver.received(1);
    const link = new URL(json(request).edit_link);
    expect(link.pathname).toContain(form.slug);
    expect(link.search).toContain(body.submission_id);
  });

  test.each(['make', 'n8n', 'activepieces', 'pabbly', 'albato', 'zapier'])(
    'of %s has the same fields but omits submission and message',
    async (integration_id) => {
      const { form, receiver } = await hooked({}, { integration_id });
      await home.submit(form, { [TEXT_FIELD_ID]: 'x', tracking_parameters: { gclid: 'y' } });
      const [request] = await receiver.received(1);
      expect(Object.keys(json(request)).sort()).toEqual(
        ['data', 'form_id', 'form_slug', 'form_title', 'meta', 'submission_id'].sort(),
      );
      expect(json(request).data[TEXT_FIELD_ID]).toEqual({ value: 'x', name: 'Name', type: 'text' });
    },
  );

  test('its bytes are frozen when the submission is stored', async () => {
    const { form, receiver, integration } = await hooked();
    await home.submit(form, { [TEXT_FIELD_ID]: 'before' });
    const [first] = await receiver.received(1);
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'Another title' });
    const [record] = await home.records(form);
    await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, { [TEXT_FIELD_ID]: 'after' });
    const deliveries = await until(async () => {
      const { body } = await home.call('GET', below(form, integration, 'deliveries'));
      return body.every((delivery: any) => delivery.state === 'delivered') && body;
    });
    const { id } = deliveries.at(-1);
    const count = receiver.requests.length;
    await home.call('POST', below(form, integration, `deliveries/${id}/replay`));
    const again = (await receiver.received(count + 1))[count];
    expect(again?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });
});

describe('the headers of a delivery', () => {
  test('X-Webhook-Signature is sha256= and the hex HMAC-SHA256 of the raw body', async () => {
    const { form, receiver } = await hooked({}, { data: { webhook_secret: SECRET } });
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ünï code / 😀' });
    const [request] = await receiver.received(1);
    const hex = createHmac('sha256', SECRET)
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers['x-webhook-signature']).toBe(`sha256=${hex}`);
  });

  test('without a secret there is no signature at all', async () => {
    const { form, receiver } = await hooked();
    await home.submit(form, {});
    const [request] = await receiver.received(1);
    expect(request?.headers).not.toHaveProperty('x-webhook-signature');
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(request?.headers['webhook-id']).toMatch(/^\S+$/);
  });

  test('the Standard Webhooks headers verify with its own library', async () => {
    const { form, receiver } = await hooked({}, { data: { webhook_secret: SECRET } });
    await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
    const [request] = await receiver.received(1);
    const verifier = new Webhook(Buffer.from(SECRET), { format: 'raw' });
    const headers = request?.headers as Record<string, string>;
    expect(verifier.verify(request?.body ?? '', headers)).toMatchObject({ form_id: form.id });
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });

  test('is a POST of JSON with our User-Agent and every custom header', async () => {
    const webhook_headers = { 'X-Own': 'one', 'x-lower': 'two, three', Accept: 'text/x' };
    const { form, receiver } = await hooked({}, { data: { webhook_headers } });
    await home.submit(form, {});
    const [request] = await receiver.received(1);
    expect(request?.method).toBe('POST');
    expect(request?.headers['content-type']).toMatch(/^application\/json/);
    expect(request?.headers['content-length']).toBe(String(request?.body.length));
    expect(request?.headers['user-agent']).toMatch(/^Formstead\/\d+\.\d+\.\d+/);
    expect(request?.headers).toMatchObject({ 'x-own': 'one', 'x-lower': 'two, three', accept: 'text/x' });
  });

  test('no name but the blocked ones is kept back, not even our own User-Agent', async () => {
    const webhook_headers = {
      'User-Agent': 'Own/1',
      'X-Api-Key': 'k',
      From: 'a@example.com',
      Range: 'bytes=0-',
      'If-None-Match': '*',
    };
    const { form, receiver } = await hooked({}, { data: { webhook_headers } });
    await home.submit(form, {});
    const [request] = await receiver.received(1);
    for (const [name, value] of Object.entries(webhook_headers))
      expect(request?.headers[name.toLowerCase()], name).toBe(value);
  });

  test('a rotated secret signs every later delivery at once', async () => {
    const { form, receiver, integration } = await hooked({}, { data: { webhook_secret: SECRET } });
    await home.submit(form, {});
    await receiver.received(1);
    const rotated = 'another secret, long enough';
    await change(form, integration.id, { data: { webhook_secret: rotated } });
    await home.submit(form, {});
    const second = (await receiver.received(2))[1];
    const hex = createHmac('sha256', rotated)
      .update(second?.body ?? '')
      .digest('hex');
    expect(second?.headers['x-webhook-signature']).toBe(`sha256=${hex}`);
    await change(form, integration.id, { data: { webhook_secret: null } });
    await home.submit(form, {});
    expect((await receiver.received(3))[2]?.headers).not.toHaveProperty('x-webhook-signature');
  });

  test('masks that were sent back leave the secret and the headers as they were', async () => {
    const data = { webhook_secret: SECRET, webhook_headers: { 'X-Own': 'one' } };
    const { form, receiver } = await hooked({}, { data });
    const [read] = (await home.call('GET', `/open/forms/${form.id}/integrations`)).body;
    await change(form, read.id, { data: read.data });
    await home.submit(form, {});
    const [request] = await receiver.received(1);
    const hex = createHmac('sha256', SECRET)
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers).toMatchObject({ 'x-own': 'one', 'x-webhook-signature': `sha256=${hex}` });
  });
});

describe('what is delivered', () => {
  test('each active integration gets each submission, an inactive one none', async () => {
    const form = await home.form();
    const [on, off] = [await aWebhookReceiver(), await aWebhookReceiver()];
    await integrate(form, on.url);
    const sleeping = await integrate(form, off.url, { status: 'inactive' });
    await home.submit(form, { [TEXT_FIELD_ID]: '1' });
    await change(form, sleeping.id, { status: 'active' });
    await home.submit(form, { [TEXT_FIELD_ID]: '2' });
    await Promise.all([on.received(2), off.received(1)]);
    expect(off.requests.map((request) => json(request).submission.Name)).toEqual(['2']);
    expect(on.requests.map((request) => json(request).submission.Name).sort()).toEqual(['1', '2']);
  });

  test('logic restricts when the webhook fires', async () => {
    const logic = {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TEXT_FIELD_ID,
          value: { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'yes' },
        },
      ],
    };
    const { form, receiver, integration } = await hooked({}, { logic });
    for (const answer of ['no', 'yes', 'maybe']) await home.submit(form, { [TEXT_FIELD_ID]: answer });
    await change(form, integration.id, { logic: null });
    await home.submit(form, { [TEXT_FIELD_ID]: 'last' });
    await receiver.received(2);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual(['last', 'yes']);
  });

  test('a partial submission fires when it completes, and only then', async () => {
    const { form, receiver } = await hooked({ enable_partial_submissions: true });
    const half = await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    const { submission_hash } = half.body;
    await home.submit(form, { [TEXT_FIELD_ID]: 'more', is_partial: true, submission_hash });
    await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash });
    await home.submit(form, { [TEXT_FIELD_ID]: 'last' });
    await receiver.received(2);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual([
      'last',
      'whole',
    ]);
  });

  test('changing a submission afterwards is no new submission', async () => {
    const { form, receiver } = await hooked({ editable_submissions: true });
    const { body } = await home.submit(form, { [TEXT_FIELD_ID]: 'first' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'edited', submission_id: body.submission_id });
    const [record] = await home.records(form);
    await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, { [TEXT_FIELD_ID]: 'by hand' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'last' });
    await receiver.received(2);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual([
      'first',
      'last',
    ]);
  });

  test.each([[null], [[]], [{}], [{ operatorIdentifier: 'and', children: [] }]])(
    'the logic %j fires always',
    async (logic) => {
      const { form, receiver } = await hooked({}, { logic });
      await home.submit(form, { [TEXT_FIELD_ID]: 'any' });
      expect(json((await receiver.received(1))[0]).submission.Name).toBe('any');
    },
  );

  test('a refused or replayed submission delivers nothing', async () => {
    const { form, receiver } = await hooked({ properties: [aTextField({ required: true })] });
    await home.submit(form, {});
    await home.submit(form, { [TEXT_FIELD_ID]: 'once' }, { 'idempotency-key': 'k' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'once' }, { 'idempotency-key': 'k' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'last' });
    await receiver.received(2);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual([
      'last',
      'once',
    ]);
  });

  test('of 100 submissions at once each is delivered exactly once', async () => {
    const { form, receiver } = await hooked();
    const numbers = Array.from({ length: 100 }, (_, index) => `no. ${index}`);
    await Promise.all(numbers.map((number) => home.submit(form, { [TEXT_FIELD_ID]: number })));
    await receiver.received(100);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual(numbers.sort());
    const ids = new Set(receiver.requests.map((request) => request.headers['webhook-id']));
    expect(ids.size).toBe(100);
  });
});

describe('when a delivery fails', () => {
  const events = async (form: { id: number }, integration: { id: number }) =>
    (await home.call('GET', below(form, integration, 'events'))).body;

  test.each([500, 404, 302])(
    'status %i is a failure and is tried again after five seconds',
    async (status) => {
      const { form, receiver, integration } = await hooked();
      const elsewhere = await aWebhookReceiver();
      receiver.script([{ status, headers: { location: elsewhere.url }, body: 'not now' }]);
      await home.submit(form, { [TEXT_FIELD_ID]: 'again' });
      const [event] = await until(async () => {
        const seen = await events(form, integration);
        return seen.length > 0 && seen;
      });
      expect(event).toMatchObject({ status: 'Error', date: expect.any(String), data: expect.any(Object) });
      const [delivery] = (await home.call('GET', below(form, integration, 'deliveries'))).body;
      expect(delivery).toMatchObject({ state: 'pending', attempts: 1 });
      const seconds = (Date.parse(delivery.next_attempt_at) - Date.parse(event.date)) / 1000;
      expect(seconds).toBeGreaterThanOrEqual(4.5);
      expect(seconds).toBeLessThanOrEqual(15);
      await home.call('POST', below(form, integration, `deliveries/${delivery.id}/replay`));
      await until(async () => (await events(form, integration))[0]?.status === 'Success');
      const [first, second] = receiver.requests;
      expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(elsewhere.requests).toEqual([]);
      const [done] = (await home.call('GET', below(form, integration, 'deliveries'))).body;
      expect(done).toMatchObject({ state: 'delivered', next_attempt_at: null });
    },
  );

  test('the second attempt comes by itself and is signed with the secret of that moment', async () => {
    const { form, receiver, integration } = await hooked({}, { data: { webhook_secret: SECRET } });
    receiver.script([503]);
    await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
    await receiver.received(1);
    const rotated = 'another secret, long enough';
    await change(form, integration.id, { data: { webhook_secret: rotated } });
    const [first, second] = await receiver.received(2);
    const hex = createHmac('sha256', rotated)
      .update(second?.body ?? '')
      .digest('hex');
    expect(second?.headers['x-webhook-signature']).toBe(`sha256=${hex}`);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4_500);
  });

  test('Retry-After is honoured', async () => {
    const { form, receiver, integration } = await hooked();
    receiver.script([{ status: 503, headers: { 'retry-after': '3600' } }]);
    await home.submit(form, {});
    const [delivery] = await until(async () => {
      const { body } = await home.call('GET', below(form, integration, 'deliveries'));
      return body[0]?.attempts === 1 && body;
    });
    const minutes = (Date.parse(delivery.next_attempt_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThan(73);
  });

  test('410 makes the integration inactive with a reason, and nothing is lost', async () => {
    const { form, receiver, integration } = await hooked();
    receiver.script([410]);
    await home.submit(form, { [TEXT_FIELD_ID]: 'kept' });
    const read = async () => (await home.call('GET', `/open/forms/${form.id}/integrations`)).body[0];
    await until(async () => (await read()).status === 'inactive');
    expect((await read()).inactive_reason).toBeTypeOf('string');
    // Nothing is sent before somebody activates it, so no time is promised.
    for (const list of ['deliveries', 'events']) {
      const { body } = await home.call('GET', below(form, integration, list));
      expect(JSON.stringify(body)).toContain('"next_attempt_at":null');
    }
    await change(form, integration.id, { status: 'active' });
    expect((await read()).inactive_reason).toBeNull();
    const [delivery] = (await home.call('GET', below(form, integration, 'deliveries'))).body;
    await home.call('POST', below(form, integration, `deliveries/${delivery.id}/replay`));
    expect(json((await receiver.received(2))[1]).submission.Name).toBe('kept');
  });

  test('all deliveries since a time can be sent again', async () => {
    const { form, receiver, integration } = await hooked();
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const answer of ['a', 'b']) await home.submit(form, { [TEXT_FIELD_ID]: answer });
    await until(async () => {
      const { body } = await home.call('GET', below(form, integration, 'deliveries?state=delivered'));
      return body.length === 2;
    });
    const answer = await home.call('POST', below(form, integration, 'deliveries/replay'), { since });
    expect(answer.status).toBe(200);
    await receiver.received(4);
    expect(receiver.requests.map((request) => json(request).submission.Name).sort()).toEqual([
      'a',
      'a',
      'b',
      'b',
    ]);
  });

  test('a test delivery can be sent', async () => {
    const { form, receiver, integration } = await hooked({}, { data: { webhook_secret: SECRET } });
    const answer = await home.call('POST', below(form, integration, 'test'));
    expect(answer.status).toBe(200);
    expect(answer.body.type).toBe('success');
    const [request] = await receiver.received(1);
    const hex = createHmac('sha256', SECRET)
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers['x-webhook-signature']).toBe(`sha256=${hex}`);
    expect(json(request).form_id).toBe(form.id);
    expect(await home.records(form)).toEqual([]);
  });

  test('the receiver does not hold the respondent up', async () => {
    const { form, receiver } = await hooked();
    receiver.script([() => {}]);
    const answer = await home.submit(form, {});
    expect(answer.status).toBe(200);
    await receiver.received(1);
    expect(receiver.requests).toHaveLength(1);
  });
});
