import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../../server/http/metrics.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function metrics(): Promise<string> {
  const answer = await service.request('GET', '/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.text;
}

test('requests are counted by route template, method and status class', async () => {
  const user = await aUser(service);
  const form = await aForm(service, user, await aWorkspace(service, user));
  const answers = `/forms/${form.slug}/answer`;
  await service.request('POST', answers, { body: { [TEXT_FIELD_ID]: 'Ada' } });
  await service.request('POST', answers, { body: { [TEXT_FIELD_ID]: 7, completion_time: 'soon' } });
  await service.request('GET', '/a-secret-address');
  const text = await metrics();
  const count = 'formstead_http_request_duration_seconds_count';
  expect(text).toContain(`${count}{method="POST",route="/forms/:form/answer",status="2xx"} 1`);
  expect(text).toContain(`${count}{method="POST",route="/forms/:form/answer",status="4xx"} 1`);
  expect(text).toContain(`${count}{method="any",route="unmatched",status="4xx"} 1`);
  expect(text).toContain('formstead_intake_batch_size_count 1');
  for (const leak of [form.slug, form.uuid, 'a-secret-address', user.email])
    expect(text.includes(leak), leak).toBe(false);
});

test('the process, the pool and the outbox are measured', async () => {
  const text = await metrics();
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
    'formstead_database_connections{state="idle"}',
    'formstead_outbox_pending 0',
    'formstead_outbox_oldest_age_seconds 0',
  ])
    expect(text).toContain(name);
});

test('the outbox is measured once for both gauges and for several questions, and may fail', async () => {
  const registry = createMetrics();
  let asked = 0;
  registry.observeOutbox(async () => ({ depth: ++asked, oldestAgeSeconds: 9 }));
  const texts = [await registry.text(), await registry.text()];
  for (const text of texts) expect(text).toMatch(/formstead_outbox_pending 1\n[\s\S]*oldest_age_seconds 9\n/);

  const broken = createMetrics();
  broken.observeOutbox(() => Promise.reject(new Error('down')));
  expect(await broken.text()).toContain('formstead_outbox_pending Nan');
});
