import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http', RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' } });
const headers = { 'x-forwarded-for': '203.0.113.1', 'content-type': 'text/plain' };

test('progress has a limit of its own: a class behind one address can still answer', async () => {
  const form = await home.form();
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < 1_205; ) {
    const count = Math.min(50, 1_205 - sent);
    const tell = () =>
      home.service.request('POST', `/forms/${form.slug}/progress`, { body: '{"started":true}', headers });
    for (const { status } of await Promise.all(Array.from({ length: count }, tell)))
      statuses[status] = (statuses[status] ?? 0) + 1;
    sent += count;
  }
  expect(statuses).toEqual({ 204: 1_200, 429: 5 });
  const answer = await home.submit(form, {}, { 'x-forwarded-for': '203.0.113.1' });
  expect(answer.status, answer.text).toBe(200);
});
