import { beforeEach, describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const URL_ONE = 'https://hooks.example.com/one';
const SECRET = 'a secret of some length';
const MASK = '********';

const home = useHome();
let formId: number;

beforeEach(async () => {
  formId = (await home.form()).id;
});

function call(method: string, body?: unknown, id?: number | string, token = home.ada.token) {
  const path = `/open/forms/${formId}/integrations${id === undefined ? '' : `/${id}`}`;
  return home.service.request(method, path, { token, body });
}

async function anIntegration(data: object = {}, more: object = {}) {
  const body = { integration_id: 'webhook', data: { webhook_url: URL_ONE, ...data }, ...more };
  const answer = await call('POST', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}

describe('create', () => {
  test('answers with the integration, active by default', async () => {
    const answer = await call('POST', {
      integration_id: 'webhook',
      data: { webhook_url: URL_ONE, other: 1 },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: 'success',
      message: 'Form Integration was created.',
      form_integration: {
        form_id: formId,
        integration_id: 'webhook',
        status: 'active',
        data: { webhook_url: URL_ONE },
        logic: null,
        inactive_reason: null,
        failing_since: null,
      },
    });
    expect(answer.body.form_integration.data).not.toHaveProperty('other');
    const list = await call('GET');
    expect(list.body).toEqual([answer.body.form_integration]);
  });

  test.each(['make', 'n8n', 'activepieces', 'pabbly', 'albato', 'zapier'])(
    'takes the provider %s',
    async (provider) => {
      const data = { webhook_url: URL_ONE, provider_url: 'https://provider.example.com/scenario/1' };
      const answer = await call('POST', { integration_id: provider, status: 'inactive', data });
      expect(answer.body.form_integration).toMatchObject({
        integration_id: provider,
        status: 'inactive',
        data,
      });
    },
  );

  test('names every problem at once', async () => {
    const answer = await call('POST', {
      integration_id: 'fax',
      status: 'sleeping',
      data: {
        webhook_url: 'ftp://example.com',
        webhook_secret: 'elevenchars',
        webhook_headers: { 'CONTENT-TYPE': 'text/plain' },
        provider_url: 'javascript:alert(1)',
      },
      logic: { operatorIdentifier: 'and', children: [{ identifier: TEXT_FIELD_ID, value: {} }] },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      integration_id: ['The selected integration id is invalid.'],
      status: ['The selected status is invalid.'],
      'data.webhook_url': ['The webhook URL must be a valid URL.'],
      'data.webhook_secret': ['The Webhook Secret must be at least 12 characters.'],
      'data.webhook_headers': ["The 'CONTENT-TYPE' header cannot be customized for security reasons."],
      'data.provider_url': ['The Provider Url format is invalid.'],
      logic: [expect.stringMatching(/^The logic conditions are not complete\. Error detail\(s\): /)],
    });
    expect((await call('GET')).body).toEqual([]);
  });

  test.each([
    ['no body', undefined, 'data'],
    ['no data', { integration_id: 'webhook' }, 'data'],
    ['no URL', { integration_id: 'webhook', data: {} }, 'data.webhook_url'],
    ['a null URL', { integration_id: 'webhook', data: { webhook_url: null } }, 'data.webhook_url'],
    ['no integration_id', { data: { webhook_url: URL_ONE } }, 'integration_id'],
    [
      'a number as secret',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_secret: 5 } },
      'data.webhook_secret',
    ],
    [
      'an empty secret',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_secret: '' } },
      'data.webhook_secret',
    ],
    [
      'a secret beyond 1024',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_secret: 'x'.repeat(1025) } },
      'data.webhook_secret',
    ],
    [
      'a mask without a secret',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_secret: MASK } },
      'data.webhook_secret',
    ],
    [
      'a mask without a header',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_headers: { a: MASK } } },
      'data.webhook_headers',
    ],
    [
      'headers that are text',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_headers: 'a: b' } },
      'data.webhook_headers',
    ],
    [
      'logic that is text',
      { integration_id: 'webhook', data: { webhook_url: URL_ONE }, logic: 'always' },
      'logic',
    ],
    ['data that is a list', { integration_id: 'webhook', data: [1] }, 'data'],
    ['data that is empty', { integration_id: 'webhook', data: [] }, 'data.webhook_url'],
  ])('refuses %s', async (_name, body, key) => {
    const answer = await call('POST', body);
    expect(answer.status, answer.text).toBe(422);
    expect(Object.keys(answer.body.errors), answer.text).toContain(
      key === 'data' && body === undefined ? 'body' : key,
    );
  });

  test.each([
    'http://169.254.169.254/latest',
    'http://[::ffff:10.0.0.1]/',
    'https://user:pw@example.com/',
    'http://0x7f.1:80@10.0.0.1/',
  ])('refuses the address %s', async (url) => {
    const answer = await call('POST', { integration_id: 'webhook', data: { webhook_url: url } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors['data.webhook_url']).toHaveLength(1);
    expect(answer.text).not.toContain(url);
  });

  test('stores the parsed form of the URL', async () => {
    const { data } = await anIntegration({ webhook_url: 'HTTPS://Hooks.Example.com:443/a/../b#part' });
    expect(data.webhook_url).toBe('https://hooks.example.com/b');
  });

  test('allows fifty per form', async () => {
    await Promise.all(Array.from({ length: 49 }, () => anIntegration()));
    const body = { integration_id: 'webhook', data: { webhook_url: URL_ONE } };
    const answers = await Promise.all([call('POST', body), call('POST', body), call('POST', body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await call('GET')).body).toHaveLength(50);
  });
});

describe('secrets', () => {
  const data = { webhook_secret: SECRET, webhook_headers: { 'X-Key': 'k-1', 'X-Team': 't-1' } };

  test('are shown once, then masked, and never stored in clear', async () => {
    const made = await anIntegration(data);
    expect(made.data).toEqual({ webhook_url: URL_ONE, ...data });
    const masked = {
      webhook_url: URL_ONE,
      webhook_secret: MASK,
      webhook_headers: { 'X-Key': MASK, 'X-Team': MASK },
    };
    expect((await call('GET', undefined, made.id)).body.data).toEqual(masked);
    expect((await call('GET')).body[0].data).toEqual(masked);
    const row = await home.service.context.db
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row.data) + row.secrets_encrypted?.toString('latin1')).not.toMatch(
      /a secret of|k-1/,
    );
  });

  test('stay when what was read is put back', async () => {
    const made = await anIntegration(data);
    const read = (await call('GET', undefined, made.id)).body;
    const put = await call('PUT', read, made.id);
    expect(put.status, put.text).toBe(200);
    expect(put.body.form_integration.data).toEqual(read.data);
    expect(await secretsOf(made.id)).toEqual(data);
  });

  test('are replaced one by one', async () => {
    const made = await anIntegration(data);
    const change = { webhook_headers: { 'x-key': MASK, 'X-New': 'n-1' } };
    const put = await call('PUT', { integration_id: 'webhook', data: change }, made.id);
    expect(put.body.form_integration.data).toEqual({
      webhook_url: URL_ONE,
      webhook_secret: MASK,
      webhook_headers: { 'x-key': MASK, 'X-New': 'n-1' },
    });
    expect(await secretsOf(made.id)).toEqual({
      webhook_secret: SECRET,
      webhook_headers: { 'x-key': 'k-1', 'X-New': 'n-1' },
    });
  });

  test('are cleared by null', async () => {
    const made = await anIntegration(data);
    const cleared = { webhook_secret: null, webhook_headers: null };
    const put = await call('PUT', { integration_id: 'webhook', data: cleared }, made.id);
    expect(put.body.form_integration.data).toEqual({ webhook_url: URL_ONE });
    expect(await secretsOf(made.id)).toEqual(cleared);
  });

  async function secretsOf(id: number) {
    const { openIntegrationSecrets } = await import('../../server/integrations/secrets.ts');
    const row = await home.service.context.db
      .selectFrom('integrations')
      .select('secrets_encrypted')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return openIntegrationSecrets(home.service.context.secrets, row.secrets_encrypted);
  }
});

describe('update', () => {
  test('keeps what it does not name', async () => {
    const logic = { operatorIdentifier: 'and', children: [aCondition('yes')] };
    const made = await anIntegration(
      { provider_url: 'https://p.example.com/' },
      { status: 'inactive', logic },
    );
    for (const data of [{}, []]) {
      const put = await call('PUT', { integration_id: 'make', data }, made.id);
      expect(put.body.message).toBe('Form Integration was updated.');
      expect(put.body.form_integration).toMatchObject({
        integration_id: 'make',
        status: 'inactive',
        data: made.data,
        logic,
      });
    }
  });

  test.each([[null], ['']])('clears the provider_url with %j', async (empty) => {
    const made = await anIntegration({ provider_url: 'https://p.example.com/' });
    const data = { provider_url: empty };
    const put = await call('PUT', { integration_id: 'make', data }, made.id);
    expect(put.status, put.text).toBe(200);
    expect(put.body.form_integration.data).toEqual({ webhook_url: made.data.webhook_url });
  });

  test.each([[null], [{}], [[]]])('clears the logic with %j', async (empty) => {
    const logic = { operatorIdentifier: 'and', children: [aCondition('yes')] };
    const made = await anIntegration({}, { logic });
    expect(made.logic).toEqual(logic);
    const put = await call('PUT', { integration_id: 'webhook', data: {}, logic: empty }, made.id);
    expect(put.body.form_integration.logic).toBeNull();
  });

  test('takes back what was read, whatever the form has become', async () => {
    const mail = aField('02', 'email', 'E-mail');
    const form = await home.form({ properties: [aTextField(), mail] });
    formId = form.id;
    const value = {
      operator: 'starts_with',
      property_meta: { id: TEXT_FIELD_ID, type: 'text' },
      value: 'A',
    };
    const logic = { operatorIdentifier: 'and', children: [{ identifier: TEXT_FIELD_ID, value }] };
    const made = await anIntegration(
      { recipients: ['team@example.org'], reply_to_field: mail.id },
      { integration_id: 'email', logic },
    );
    const changed = { properties: [{ ...aTextField(), type: 'number' }] };
    const formChange = await home.service.request('PUT', `/open/forms/${formId}`, {
      token: home.ada.token,
      body: changed,
    });
    expect(formChange.status, formChange.text).toBe(200);
    const read = (await call('GET', undefined, made.id)).body;
    const put = await call('PUT', { ...read, status: 'inactive' }, made.id);
    expect(put.status, put.text).toBe(200);
    expect(put.body.form_integration).toMatchObject({ status: 'inactive', data: read.data, logic });
    // Any change is checked against the present form.
    const other = { ...read.data, reply_to_field: 'gone' };
    const refused = await call('PUT', { ...read, data: other }, made.id);
    expect(Object.keys(refused.body.errors)).toEqual(['data.reply_to_field']);
  });

  test('cannot remove the URL', async () => {
    const made = await anIntegration();
    const put = await call('PUT', { integration_id: 'webhook', data: { webhook_url: null } }, made.id);
    expect(put.body.errors).toEqual({ 'data.webhook_url': ['The Webhook Url field is required.'] });
  });

  test('of the address forgets how long the old one has failed, and no other change does', async () => {
    const made = await anIntegration();
    const failing = { failing_since: new Date('2026-11-16') };
    await home.service.context.db
      .updateTable('integrations')
      .set(failing)
      .where('id', '=', made.id)
      .execute();
    const { webhook_url } = made.data;
    const same = await call('PUT', { integration_id: 'webhook', data: { webhook_url } }, made.id);
    expect(same.body.form_integration.failing_since).toBe('2026-11-16T00:00:00.000Z');
    const moved = { webhook_url: 'https://moved.example.com/' };
    const put = await call('PUT', { integration_id: 'webhook', data: moved }, made.id);
    expect(put.body.form_integration.failing_since).toBeNull();
  });

  test('to active forgets why it was stopped', async () => {
    const made = await anIntegration();
    const stopped = {
      status: 'inactive',
      inactive_reason: 'The receiver answered 410.',
      failing_since: new Date(),
    };
    await home.service.context.db
      .updateTable('integrations')
      .set(stopped)
      .where('id', '=', made.id)
      .execute();
    expect((await call('GET', undefined, made.id)).body.inactive_reason).toBe('The receiver answered 410.');
    const kept = await call('PUT', { integration_id: 'webhook', data: {} }, made.id);
    expect(kept.body.form_integration).toMatchObject({
      status: 'inactive',
      inactive_reason: 'The receiver answered 410.',
    });
    const put = await call('PUT', { integration_id: 'webhook', status: 'active', data: {} }, made.id);
    expect(put.body.form_integration).toMatchObject({ status: 'active', inactive_reason: null });
  });
});

describe('with submissions', () => {
  test('each change reaches the next submission', async () => {
    const made = await anIntegration({ webhook_url: 'http://127.0.0.1:9/' });
    expect(await deliveriesAfterSubmit()).toHaveLength(1);
    await call('PUT', { integration_id: 'webhook', status: 'inactive', data: {} }, made.id);
    expect(await deliveriesAfterSubmit()).toHaveLength(1);
    const logic = { operatorIdentifier: 'and', children: [aCondition('Nobody')] };
    await call('PUT', { integration_id: 'webhook', status: 'active', data: {}, logic }, made.id);
    expect(await deliveriesAfterSubmit()).toHaveLength(1);
    await call('PUT', { integration_id: 'webhook', data: {}, logic: null }, made.id);
    expect(await deliveriesAfterSubmit()).toHaveLength(2);
  });

  test('delete cancels what was still to be sent', async () => {
    const made = await anIntegration({ webhook_url: 'http://127.0.0.1:9/' });
    await deliveriesAfterSubmit();
    const answer = await call('DELETE', undefined, made.id);
    expect(answer.body).toEqual({ type: 'success', message: 'Form Integration was deleted.' });
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ state: 'cancelled', finished_at: expect.any(Date) });
    expect((await call('GET', undefined, made.id)).status).toBe(404);
    expect(await deliveriesAfterSubmit()).toHaveLength(1);
  });

  test('delete does not wait for a large backlog, which is cancelled in the background', async () => {
    const { db, pool } = home.service.context;
    const made = await anIntegration({ webhook_url: 'http://127.0.0.1:9/' });
    await pool.query(
      `insert into deliveries (form_id, integration_id, submission_id, body, next_attempt_at)
       select $1, $2, n, '{}', now() + interval '1 hour' from generate_series(1, 11_000) n`,
      [formId, made.id],
    );
    // The lock prevents the last delivery from being cancelled yet.
    const holding = await pool.connect();
    try {
      await holding.query('begin');
      await holding.query(
        `select from deliveries where integration_id = $1 order by id desc limit 1 for update`,
        [made.id],
      );
      expect((await call('DELETE', undefined, made.id)).status).toBe(200);
      expect((await call('GET', undefined, made.id)).status).toBe(404);
      await holding.query('commit');
    } finally {
      holding.release(true);
    }
    await until(async () => {
      const left = db.selectFrom('deliveries').select('id').where('integration_id', '=', made.id);
      return (await left.where('state', '<>', 'cancelled').execute()).length === 0;
    });
  });

  async function deliveriesAfterSubmit() {
    const form = await home.service.context.db
      .selectFrom('forms')
      .select('slug')
      .where('id', '=', formId)
      .executeTakeFirstOrThrow();
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    expect(answer.status, answer.text).toBe(200);
    return deliveries();
  }

  function deliveries() {
    return home.service.context.db
      .selectFrom('deliveries')
      .selectAll()
      .where('form_id', '=', formId)
      .execute();
  }
});

describe('access', () => {
  test('an integration of another form does not exist', async () => {
    const made = await anIntegration();
    formId = (await home.form()).id;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await call(method, method === 'GET' ? undefined : { integration_id: 'fax' }, made.id);
      expect([method, answer.status, answer.body.message]).toEqual([method, 404, 'Integration not found.']);
    }
    for (const id of ['0', '1e3', 'abc', '99999999999999999999'])
      expect((await call('GET', undefined, id)).status).toBe(404);
  });

  test('needs the ability, membership and the role user', async () => {
    const made = await anIntegration();
    const stranger = await home.stranger();
    const reader = await home.member('readonly');
    const formsOnly = await home.tokenWith('forms-read', 'forms-write');
    for (const token of [stranger.token, reader.token, formsOnly]) {
      for (const [method, id] of [
        ['GET', undefined],
        ['POST', undefined],
        ['GET', made.id],
        ['PUT', made.id],
        ['DELETE', made.id],
      ] as const) {
        const answer = await call(method, method === 'GET' ? undefined : {}, id, token);
        expect([method, answer.status]).toEqual([method, 403]);
      }
    }
    expect((await call('GET', undefined, undefined, 'none')).status).toBe(401);
    expect((await call('GET')).body).toHaveLength(1);
  });
});

function aCondition(value: string) {
  const property_meta = { id: TEXT_FIELD_ID, type: aTextField().type };
  return { identifier: TEXT_FIELD_ID, value: { operator: 'equals', property_meta, value } };
}
