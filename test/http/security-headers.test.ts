import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://forms.example.org' } });
});
afterAll(() => service.stop());

test.each([
  ['GET', '/livez', 200],
  ['GET', '/open/workspaces', 401],
  ['GET', '/nowhere', 404],
  ['DELETE', '/livez', 405],
  ['POST', '/forms/none/answer', 404],
])('%s %s carries them', async (method, path, status) => {
  const answer = await service.request(method, path, method === 'POST' ? { body: {} } : {});
  expect(answer.status).toBe(status);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'strict-transport-security': expect.stringMatching(/^max-age=\d+/),
  });
  expect(answer.headers.has('server')).toBe(false);
  expect(answer.headers.has('x-powered-by')).toBe(false);
});

test('plain http is not told to be https', async () => {
  const plain = await startService({ database: service.database, dataDir: service.dataDir });
  expect((await plain.request('GET', '/livez')).headers.has('strict-transport-security')).toBe(false);
  await plain.stop();
});

describe('pages of other sites', () => {
  const origin = 'https://somewhere.example';

  test('may read and answer published forms, without credentials', async () => {
    const user = await aUser(service);
    const form = await aForm(service, user, await aWorkspace(service, user));
    const read = await service.request('GET', `/forms/${form.slug}`, { headers: { origin } });
    const answered = await service.request('POST', `/forms/${form.slug}/answer`, {
      headers: { origin },
      body: {},
    });
    const unknown = await service.request('POST', '/forms/none/answer', { headers: { origin }, body: {} });
    expect([read.status, answered.status, unknown.status]).toEqual([200, 200, 404]);
    for (const { headers } of [read, answered, unknown]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'idempotent-replayed, precognition-success, retry-after',
      );
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test.each(['/forms/any', '/forms/any/answer', '/forms/any/captcha'])(
    'get an answer to the preflight of %s',
    async (path) => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,traceparent,x-requested-with',
      };
      const answer = await service.request('OPTIONS', path, { headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-headers')).toBe(
        '*, content-type, form-password, idempotency-key, precognition, precognition-validate-only',
      );
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
    },
  );

  test.each(['/open/forms', '/open/forms/1', '/external/partner/validate', '/user'])(
    'may not read %s',
    async (path) => {
      const headers = {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      };
      for (const method of ['GET', 'OPTIONS'])
        expect(
          (await service.request(method, path, { headers })).headers.has('access-control-allow-origin'),
        ).toBe(false);
    },
  );
});
