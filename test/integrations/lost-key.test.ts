import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxOf } from '../../server/key-rotation/key-files.ts';
import { replaceLostKey } from '../../server/key-rotation/rotate-key.ts';
import { aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

const OTHER = 'b'.repeat(64);

let before: TestService;
let after: TestService;
beforeAll(async () => {
  before = await startService({ env: { SECRET_KEY: 'a'.repeat(64), ROLES: 'http' } });
  await replaceLostKey(before.context.db, boxOf(OTHER));
  after = await startService({ env: { SECRET_KEY: OTHER }, database: before.database });
});
afterAll(async () => {
  await after.stop();
  await before.stop();
});

test('with another key an integration is shown, sends nothing, and takes a new secret', async () => {
  const user = await aUser(before);
  const form = await aForm(before, user, await aWorkspace(before, user));
  const path = `/open/forms/${form.id}/integrations`;
  const integration = {
    integration_id: 'webhook',
    data: { webhook_url: 'http://127.0.0.1:9/', webhook_secret: 'twelve chars' },
  };
  const created = await before.request('POST', path, { token: user.token, body: integration });
  const own = `${path}/${created.body.form_integration.id}`;
  const put = (data: object) =>
    after.request('PUT', own, { token: user.token, body: { integration_id: 'webhook', data } });

  const shown = await after.request('GET', own, { token: user.token });
  expect(shown.status).toBe(200);
  expect(shown.body.data.webhook_secret).toBe('********');
  // Shown before anything had to be sent.
  expect(shown.body.notice).toContain('deliveries wait until they are set again');
  const tried = await after.request('POST', `${own}/test`, { token: user.token });
  expect(tried.status).toBe(200);
  expect(tried.body.failure.reason).toBe('unreadable_secret');

  const unsigned = await put({ webhook_headers: { 'X-Team': 'blue' } });
  expect(unsigned.status).toBe(422);
  expect(Object.keys(unsigned.body.errors)).toEqual(['data.webhook_secret']);
  const renewed = await put({ webhook_secret: 'a new secret' });
  expect(renewed.status).toBe(200);
  expect(renewed.body.form_integration.notice).toBeNull();
  expect((await put({ webhook_headers: { 'X-Team': 'blue' } })).status).toBe(200);
});
