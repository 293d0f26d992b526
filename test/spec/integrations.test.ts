import { describe, expect, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';

const home = useHome();

const URL_OF_HOOK = 'http://127.0.0.1:9/hook';
const MASK = '********';

const create = (form: { id: number }, body: object, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/integrations`, body, token);
const update = (form: { id: number }, id: number, body: object, token?: string) =>
  home.call('PUT', `/open/forms/${form.id}/integrations/${id}`, body, token);
const list = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/integrations`)).body;
const webhook = (data: object = {}, more: object = {}) => ({
  integration_id: 'webhook',
  data: { webhook_url: URL_OF_HOOK, ...data },
  ...more,
});

async function made(form: { id: number }, body: object = webhook()): Promise<any> {
  const answer = await create(form, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}

describe('POST /open/forms/{form}/integrations', () => {
  test('answers message and form_integration with its fields', async () => {
    const form = await home.form();
    const answer = await create(form, webhook({}, { status: 'inactive' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: 'success',
      message: expect.any(String),
      form_integration: {
        id: expect.any(Number),
        form_id: form.id,
        integration_id: 'webhook',
        status: 'inactive',
        data: { webhook_url: URL_OF_HOOK },
      },
    });
  });

  test('status is active unless it is said, and nothing but active or inactive', async () => {
    const form = await home.form();
    expect((await made(form)).status).toBe('active');
    expect((await made(form, webhook({}, { status: 'active' }))).status).toBe('active');
    for (const status of ['paused', '', 1, true])
      expectInvalid(await create(form, webhook({}, { status })), 'status');
  });

  test('integration_id and data are required', async () => {
    const form = await home.form();
    expectInvalid(await create(form, { data: { webhook_url: URL_OF_HOOK } }), 'integration_id');
    expectInvalid(await create(form, { integration_id: 'webhook' }), 'data');
    for (const data of ['text', 7, null, true])
      expectInvalid(await create(form, { integration_id: 'webhook', data }), 'data');
    const answer = await create(form, { integration_id: 'webhook', data: {} });
    expectInvalid(answer, 'data.webhook_url');
    expect(await list(form)).toEqual([]);
  });

  test('integration_id is webhook or one of the six providers', async () => {
    const form = await home.form();
    for (const integration_id of ['make', 'n8n', 'activepieces', 'pabbly', 'albato', 'zapier']) {
      const provider = await made(form, { integration_id, data: { webhook_url: URL_OF_HOOK } });
      expect(provider.integration_id).toBe(integration_id);
    }
    for (const integration_id of ['slack', 'telegram', 'Webhook', '', 7])
      expectInvalid(
        await create(form, { integration_id, data: { webhook_url: URL_OF_HOOK } }),
        'integration_id',
      );
  });

  test.each([
    'no url',
    '',
    'ftp://example.org/',
    'javascript:alert(1)',
    '//example.org',
    'http://',
    'http://user:secret@example.org/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00::1]/',
    'http://0x7f.1.2.3.4/',
    7,
    null,
  ])('webhook_url cannot be %j', async (webhook_url) => {
    expectInvalid(await create(await home.form(), webhook({ webhook_url })), 'data.webhook_url');
  });

  test('http and https URLs are taken as they are', async () => {
    const form = await home.form();
    for (const webhook_url of ['https://93.184.216.34/x?y=1&z=%20', 'http://127.0.0.1:8080/'])
      expect((await made(form, webhook({ webhook_url }))).data.webhook_url).toBe(webhook_url);
  });

  test('webhook_secret has at least 12 characters', async () => {
    const form = await home.form();
    expectInvalid(await create(form, webhook({ webhook_secret: 'x'.repeat(11) })), 'data.webhook_secret');
    expectInvalid(await create(form, webhook({ webhook_secret: '' })), 'data.webhook_secret');
    expectInvalid(await create(form, webhook({ webhook_secret: 123_456_789_012 })), 'data.webhook_secret');
    expect((await create(form, webhook({ webhook_secret: 'x'.repeat(12) }))).status).toBe(200);
  });

  test('all problems are told at once', async () => {
    const data = { webhook_url: 'x', webhook_secret: 'x', webhook_headers: { Host: 'x' } };
    const answer = await create(await home.form(), { integration_id: 'webhook', data });
    expectInvalid(answer, 'data.webhook_url', 'data.webhook_secret', 'data.webhook_headers');
  });

  test('logic is optional; a broken one is 422 on logic', async () => {
    const form = await home.form();
    const logic = {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TEXT_FIELD_ID,
          value: { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'yes' },
        },
      ],
    };
    expect((await made(form, webhook({}, { logic }))).logic).toEqual(logic);
    expect((await made(form, webhook({}, { logic: null }))).logic).toBeNull();
    expectInvalid(await create(form, webhook({}, { logic: 'sometimes' })), 'logic');
    expectInvalid(
      await create(
        form,
        webhook({}, { logic: { operatorIdentifier: 'and', children: [{ identifier: 'x' }] } }),
      ),
      'logic',
    );
  });

  test('needs manage-integrations and the role user; an unknown form is 404', async () => {
    const form = await home.form();
    const weak = await home.tokenWith('forms-write', 'forms-read');
    expectRefused(await create(form, webhook(), weak), 403);
    expectRefused(await create(form, webhook(), (await home.member('readonly')).token), 403);
    expectRefused(await create(form, webhook(), (await home.stranger()).token), 403);
    expectRefused(await create({ id: 999_999 }, webhook()), 404);
    expect((await create(form, webhook(), (await home.member('user')).token)).status).toBe(200);
  });
});

describe('webhook_headers', () => {
  const refused = (name: string, value: unknown = 'x'): Promise<Answer> =>
    home.form().then((form) => create(form, webhook({ webhook_headers: { [name]: value } })));

  test.each([
    'Authorization',
    'X-Webhook-Signature',
    'Content-Type',
    'Content-Length',
    'Host',
    'Cookie',
    'X-CSRF-Token',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Real-IP',
  ])('the blocked name %s is refused in any letter case', async (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expectInvalid(await refused(written), 'data.webhook_headers');
  });

  test.each([
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Forwarded',
    'X-Forwarded-Host',
    'Metadata-Flavor',
    'X-aws-ec2-metadata-token',
    'webhook-id',
    'webhook-timestamp',
    'Webhook-Signature',
    'webhook-anything',
  ])('so is our own %s', async (name) => {
    expectInvalid(await refused(name), 'data.webhook_headers');
  });

  test.each(['', 'two words', 'a:b', 'é', 'a\nb', 'a(b)', ' x'])('the name %j is no header', async (name) => {
    expectInvalid(await refused(name), 'data.webhook_headers');
  });

  test.each([
    ['line\nbreak'],
    ['\r\nX: y'],
    ['é'],
    ['x'.repeat(1025)],
    ['\u0007'],
    [7],
    [null],
    [['x']],
    [{}],
  ])('the value %j is refused', async (value) => {
    expectInvalid(await refused('X-Own', value), 'data.webhook_headers');
  });

  test('one name in two letter cases is one too many', async () => {
    const webhook_headers = { 'X-Own': '1', 'x-own': '2' };
    const answer = await create(await home.form(), webhook({ webhook_headers }));
    expectInvalid(answer, 'data.webhook_headers');
  });

  test('there are at most 20 of them', async () => {
    const form = await home.form();
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Own-${index}`, 'v'.repeat(1024)]));
    expect((await create(form, webhook({ webhook_headers: headers(20) }))).status).toBe(200);
    expectInvalid(await create(form, webhook({ webhook_headers: headers(21) })), 'data.webhook_headers');
    for (const wrong of ['X-Own: 1', [['X-Own', '1']], 7])
      expectInvalid(await create(form, webhook({ webhook_headers: wrong })), 'data.webhook_headers');
  });
});

describe('PUT /open/forms/{form}/integrations/{integrationid}', () => {
  const secret = 'a secret of enough characters';

  test('sets the given status; an absent one stays', async () => {
    const form = await home.form();
    const { id } = await made(form);
    const stopped = await update(form, id, { integration_id: 'webhook', status: 'inactive', data: {} });
    expect(stopped.body).toMatchObject({
      type: 'success',
      message: expect.any(String),
      form_integration: { id, form_id: form.id, status: 'inactive' },
    });
    const kept = await update(form, id, { integration_id: 'webhook', data: {} });
    expect(kept.body.form_integration.status).toBe('inactive');
    const started = await update(form, id, { integration_id: 'webhook', status: 'active', data: {} });
    expect(started.body.form_integration.status).toBe('active');
  });

  test('every inner field of data is optional and merges; null clears', async () => {
    const form = await home.form();
    const data = { webhook_secret: secret, webhook_headers: { 'X-Own': 'one' } };
    const { id } = await made(form, webhook(data));
    const put = async (change: object) => {
      const answer = await update(form, id, { integration_id: 'webhook', data: change });
      expect(answer.status, answer.text).toBe(200);
      return (await list(form))[0].data;
    };
    const other = 'http://127.0.0.1:9/other';
    expect(await put({ webhook_url: other })).toEqual({
      webhook_url: other,
      webhook_secret: MASK,
      webhook_headers: { 'X-Own': MASK },
    });
    expect((await put({ webhook_secret: null })).webhook_secret ?? null).toBeNull();
    expect(await put({})).toMatchObject({ webhook_url: other, webhook_headers: { 'X-Own': MASK } });
    const cleared = await put({ webhook_headers: null });
    expect(Object.keys(cleared.webhook_headers ?? {})).toEqual([]);
    expect(cleared.webhook_url).toBe(other);
  });

  test('the secret and header values are shown to the call that sets them and masked afterwards', async () => {
    const form = await home.form();
    const data = { webhook_secret: secret, webhook_headers: { 'X-Own': 'precious' } };
    const answer = await create(form, webhook(data));
    expect(answer.body.form_integration.data).toMatchObject(data);
    const listed = await home.call('GET', `/open/forms/${form.id}/integrations`);
    expect(listed.body[0].data).toEqual({
      webhook_url: URL_OF_HOOK,
      webhook_secret: MASK,
      webhook_headers: { 'X-Own': MASK },
    });
    const { id } = answer.body.form_integration;
    const later = await update(form, id, { integration_id: 'webhook', data: {} });
    expect(listed.text + later.text).not.toMatch(/precious|a secret of/);
  });

  test('what was read can be put back', async () => {
    const form = await home.form();
    await made(form, webhook({ webhook_secret: secret, webhook_headers: { 'X-Own': 'one', 'X-Two': '2' } }));
    const [read] = await list(form);
    const answer = await update(form, read.id, read);
    expect(answer.status, answer.text).toBe(200);
    expect({ ...(await list(form))[0], updated_at: 0 }).toEqual({ ...read, updated_at: 0 });
  });

  test('a mask for a header that is not stored is refused, not stored', async () => {
    const form = await home.form();
    const { id } = await made(form);
    const data = { webhook_headers: { 'X-New': MASK } };
    expectInvalid(await update(form, id, { integration_id: 'webhook', data }), 'data.webhook_headers');
    expectInvalid(
      await update(form, id, { integration_id: 'webhook', data: { webhook_secret: MASK } }),
      'data.webhook_secret',
    );
  });

  test('a logic left out is kept, null clears it', async () => {
    const form = await home.form();
    const logic = {
      operatorIdentifier: 'or',
      children: [
        {
          identifier: TEXT_FIELD_ID,
          value: { operator: 'is_empty', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: true },
        },
      ],
    };
    const { id } = await made(form, webhook({}, { logic }));
    const kept = await update(form, id, { integration_id: 'webhook', data: {} });
    expect(kept.body.form_integration.logic).toEqual(logic);
    const cleared = await update(form, id, { integration_id: 'webhook', data: {}, logic: null });
    expect(cleared.body.form_integration.logic).toBeNull();
  });

  test('integration_id and data are required, their contents checked', async () => {
    const form = await home.form();
    const { id } = await made(form);
    expectInvalid(await update(form, id, { data: {} }), 'integration_id');
    expectInvalid(await update(form, id, { integration_id: 'webhook' }), 'data');
    expectInvalid(await update(form, id, webhook({ webhook_url: 'x' })), 'data.webhook_url');
    expectInvalid(await update(form, id, webhook({ webhook_secret: 'short' })), 'data.webhook_secret');
    expectInvalid(
      await update(form, id, webhook({ webhook_headers: { Host: 'x' } })),
      'data.webhook_headers',
    );
    expectInvalid(await update(form, id, webhook({}, { status: 'asleep' })), 'status');
    expect((await list(form))[0].data.webhook_url).toBe(URL_OF_HOOK);
  });

  test('unknown form or integration, and one of another form, are 404', async () => {
    const [form, other] = [await home.form(), await home.form()];
    const { id } = await made(form);
    expectRefused(await update({ id: 999_999 }, id, webhook()), 404);
    expectRefused(await update(form, 999_999, webhook()), 404);
    expectRefused(await update(other, id, webhook()), 404);
    expectRefused(await home.call('DELETE', `/open/forms/${other.id}/integrations/${id}`), 404);
    expectRefused(await home.call('GET', `/open/forms/${other.id}/integrations/${id}/events`), 404);
    expectRefused(await home.call('PUT', `/open/forms/${form.id}/integrations/abc`, webhook()), 404);
  });

  test('needs manage-integrations and the role user', async () => {
    const form = await home.form();
    const { id } = await made(form);
    expectRefused(await update(form, id, webhook(), await home.tokenWith('forms-write')), 403);
    expectRefused(await update(form, id, webhook(), (await home.member('readonly')).token), 403);
    expectRefused(await update(form, id, webhook(), (await home.stranger()).token), 403);
  });
});

describe('GET and DELETE integrations', () => {
  test('are listed as a bare array, and gone once deleted', async () => {
    const form = await home.form({ properties: [aTextField()] });
    const first = await made(form);
    const second = await made(form, { integration_id: 'make', data: { webhook_url: URL_OF_HOOK } });
    expect((await list(form)).map((one: any) => one.id).sort()).toEqual([first.id, second.id].sort());
    const path = `/open/forms/${form.id}/integrations/${first.id}`;
    const answer = await home.call('DELETE', path);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expectRefused(await home.call('DELETE', path), 404);
    expect((await list(form)).map((one: any) => one.id)).toEqual([second.id]);
  });

  test('need manage-integrations and the role user', async () => {
    const form = await home.form();
    const { id } = await made(form);
    const reader = (await home.member('readonly')).token;
    for (const token of [await home.tokenWith('forms-read', 'forms-write'), reader]) {
      expectRefused(await home.call('GET', `/open/forms/${form.id}/integrations`, undefined, token), 403);
      const path = `/open/forms/${form.id}/integrations/${id}`;
      expectRefused(await home.call('GET', `${path}/events`, undefined, token), 403);
      expectRefused(await home.call('DELETE', path, undefined, token), 403);
    }
  });
});
