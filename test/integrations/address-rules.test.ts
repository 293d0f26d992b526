import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageProblem } from '../../fields/storable.ts';
import { URL_CORPUS } from '../deliveries/url-corpus.ts';
import { aForm, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { type Answer, startService, type TestService } from '../setup/service.ts';

// Every route that takes an address must refuse the same ones.

let service: TestService;
let owner: TestUser;
let path: string;
let formId: number;

beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_ALLOWED_NETWORKS: '' } });
  owner = await aUser(service);
  formId = (await aForm(service, owner, await aWorkspace(service, owner))).id;
  path = `/open/forms/${formId}/integrations`;
});
afterAll(() => service.stop());

/** Texts that cannot even be stored are refused earlier, so they are left out. */
const REFUSED = URL_CORPUS.filter(
  ({ url, expected }) => expected === 'refuse' && storageProblem(url) === null,
).map(({ url }) => url);

function send(method: string, address: string, body: object): Promise<Answer> {
  return service.request(method, address, { token: owner.token, body });
}

async function expectRefusals(key: string, door: (url: string) => Promise<Answer>): Promise<void> {
  expect(REFUSED.length).toBeGreaterThan(200);
  const answers = await Promise.all(REFUSED.map(door));
  answers.forEach(({ status, body }, index) => {
    // Shown as JSON, since some would garble a terminal.
    const url = JSON.stringify(REFUSED[index]);
    expect([url, status, Object.keys(body.errors ?? {})]).toEqual([url, 422, [key]]);
  });
}

test('creating an integration', async () => {
  await expectRefusals('data.webhook_url', (url) =>
    send('POST', path, { integration_id: 'webhook', data: { webhook_url: url } }),
  );
  expect((await service.request('GET', path, { token: owner.token })).body).toEqual([]);
});

test('changing an integration', async () => {
  const data = { webhook_url: 'https://example.com/' };
  const made = (await send('POST', path, { integration_id: 'make', data })).body.form_integration;
  await expectRefusals('data.webhook_url', (url) =>
    send('PUT', `${path}/${made.id}`, { integration_id: 'make', data: { webhook_url: url } }),
  );
  const read = await service.request('GET', `${path}/${made.id}`, { token: owner.token });
  expect(read.body).toMatchObject({ data, updated_at: made.updated_at });
});

test('subscribing a partner hook', async () => {
  await expectRefusals('hookUrl', (hookUrl) =>
    send('POST', '/external/partner/webhook', { hookUrl, form_id: formId }),
  );
});

test('harmless addresses pass all of them, in their parsed form', async () => {
  const harmless = URL_CORPUS.filter(({ expected }) => expected === 'accept').slice(0, 20);
  expect(harmless.length).toBeGreaterThan(5);
  for (const { url, stored = url } of harmless) {
    const made = await send('POST', path, { integration_id: 'webhook', data: { webhook_url: url } });
    expect(made.body.form_integration?.data, JSON.stringify(url)).toEqual({ webhook_url: stored });
    const hook = await send('POST', '/external/partner/webhook', { hookUrl: url, form_id: formId });
    expect([hook.status, hook.body.id]).toEqual([200, url]);
  }
});
