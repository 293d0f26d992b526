import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../setup/service.ts';

const PROXIED = [
  { 'x-forwarded-for': '198.51.100.1' },
  { forwarded: 'for=198.51.100.1' },
  { 'x-real-ip': '198.51.100.1' },
  // A client may claim any address.
  { 'x-forwarded-for': '127.0.0.1' },
];

let first: TestService;
beforeAll(async () => {
  first = await startService();
});
afterAll(() => first.stop());

async function statuses(env: Record<string, string>): Promise<number[]> {
  const service = await startService({ env, database: first.database, dataDir: first.dataDir });
  const ask = async (headers: Record<string, string>) =>
    (await service.request('GET', '/metrics', { headers })).status;
  const all = [await ask({})];
  for (const headers of PROXIED) all.push(await ask(headers as Record<string, string>));
  await service.stop();
  return all;
}

describe('/metrics', () => {
  test.each([
    ['by default: for programs of this machine, not for whom a proxy speaks', {}, [200, 404, 404, 404, 404]],
    ['behind a trusted proxy: the same', { TRUST_PROXY: '127.0.0.1/32' }, [200, 404, 404, 404, 404]],
    ['METRICS=public: for everybody', { METRICS: 'public' }, [200, 200, 200, 200, 200]],
    ['METRICS=off: for nobody', { METRICS: 'off' }, [404, 404, 404, 404, 404]],
  ])('%s', async (_what, env, expected) => {
    expect(await statuses(env as Record<string, string>)).toEqual(expected);
  });

  test('refused says no more than an address that does not exist', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const [refused, nowhere] = [
      await first.request('GET', '/metrics', { headers }),
      await first.request('GET', '/nowhere', { headers }),
    ];
    expect([refused.status, refused.text]).toEqual([nowhere.status, nowhere.text]);
  });
});
