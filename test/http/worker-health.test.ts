import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startService, type TestService } from '../setup/service.ts';

const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });
let worker: TestService;

beforeAll(async () => {
  const { database, dataDir } = home.service;
  worker = await startService({ database, dataDir, env: { ROLES: 'worker', WORKER_PORT: '0' } });
});
afterAll(() => worker?.stop());

test('a worker with a port of its own tells whether it lives and can work', async () => {
  for (const path of ['/livez', '/readyz'])
    expect(await worker.request('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('and what it did', async () => {
  const form = await home.form();
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
  const columns = { [TEXT_FIELD_ID]: true };
  const exported = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
  expect(exported.body.is_async, exported.text).toBe(true);
  const metrics = async () => (await worker.request('GET', '/metrics')).text;
  await expect.poll(metrics).toContain('formstead_exports_total{outcome="completed"} 1');
});

test('nothing else is served there', async () => {
  const form = await home.form();
  for (const path of ['/', `/forms/${form.slug}`, '/user', '/openapi.json']) {
    const answer = await worker.request('GET', path);
    expect([path, answer.status, answer.body]).toEqual([path, 404, { message: expect.any(String) }]);
  }
  expect(await worker.request('POST', `/forms/${form.slug}/answer`, { body: {} })).toMatchObject({
    status: 404,
  });
});

test('mailed links lead to the address of the forms', () => {
  expect(worker.context.baseUrl()).not.toContain(new URL(worker.url).port);
});
