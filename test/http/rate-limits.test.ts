import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aToken, aUser } from '../setup/factories.ts';
import { type RequestOptions, startService, type TestService } from '../setup/service.ts';

const ANSWERS = 300;
const CALLS = 600;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' } });
});
afterAll(() => service.stop());

/** A request as a proxy on this machine forwards it for a client. */
function from(address: string): RequestOptions {
  return { headers: { 'x-forwarded-for': address } };
}

async function statuses(
  count: number,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  for (let done = 0; done < count; done += 50) {
    const round = Math.min(50, count - done);
    const answers = await Promise.all(
      Array.from({ length: round }, () => service.request(method, path, options)),
    );
    for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1;
  }
  return seen;
}

describe('answers', () => {
  test('are limited per address and form', async () => {
    const path = '/forms/nowhere/answer';
    const options = { ...from('203.0.113.1'), body: {} };
    expect(await statuses(ANSWERS + 5, 'POST', path, options)).toEqual({ 404: ANSWERS, 429: 5 });
    const refused = await service.request('POST', path, options);
    expect(refused.body).toEqual({ message: 'Too Many Attempts.' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');

    expect((await service.request('POST', '/forms/elsewhere/answer', options)).status).toBe(404);
    expect((await service.request('POST', path, { ...from('203.0.113.2'), body: {} })).status).toBe(404);
  });

  test('of one IPv6 network count together', async () => {
    const path = '/forms/six/answer';
    await statuses(ANSWERS, 'POST', path, { ...from('2001:db8:1:2::1'), body: {} });
    expect((await service.request('POST', path, { ...from('2001:db8:1:2:ffff::9'), body: {} })).status).toBe(
      429,
    );
    expect((await service.request('POST', path, { ...from('2001:db8:1:3::1'), body: {} })).status).toBe(404);
  });

  test('of this machine itself are not limited', async () => {
    expect(await statuses(ANSWERS + 20, 'POST', '/forms/here/answer', { body: {} })).toEqual({
      404: ANSWERS + 20,
    });
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
    'with the header %s are not those of this machine',
    async (name) => {
      const options = {
        headers: { [name]: name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9' },
        body: {},
      };
      const answer = await service.request('POST', `/forms/${name}/answer`, options);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(ANSWERS - 1));
    },
  );
});

describe('calls', () => {
  test('are limited per token', async () => {
    const user = await aUser(service);
    const other = await aToken(service, user);
    const options = { ...from('203.0.113.3'), token: user.token };
    expect(await statuses(CALLS + 5, 'GET', '/open/workspaces', options)).toEqual({ 200: CALLS, 429: 5 });
    expect(
      (await service.request('GET', '/user', { ...from('203.0.113.4'), token: user.token })).status,
    ).toBe(429);
    expect((await service.request('GET', '/user', { ...from('203.0.113.3'), token: other })).status).toBe(
      200,
    );
    expect(
      (await service.request('GET', '/user', { ...from('203.0.113.3'), cookie: user.cookie })).status,
    ).toBe(200);
  });

  test('without credentials are limited per address', async () => {
    expect(await statuses(CALLS + 5, 'GET', '/livez', from('203.0.113.5'))).toEqual({ 200: CALLS, 429: 5 });
    expect((await service.request('GET', '/livez', from('203.0.113.6'))).status).toBe(200);
  });

  test('that browsers make to ask whether a page of another site may, are not', async () => {
    const asked = await statuses(CALLS + 5, 'OPTIONS', '/forms/any/answer', from('203.0.113.7'));
    expect(asked).toEqual({ 204: CALLS + 5 });
  });
});

test('a minute is one of the time that passes, also when the clock is set back meanwhile', async () => {
  const options = { ...from('203.0.113.8'), body: {} };
  const path = '/forms/yesterday/answer';
  expect(await statuses(ANSWERS + 1, 'POST', path, options)).toEqual({ 404: ANSWERS, 429: 1 });
  const [clock, time] = [Date.now, performance.now.bind(performance)];
  try {
    vi.spyOn(Date, 'now').mockImplementation(() => clock() - DAY_MS);
    const refused = await service.request('POST', path, options);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    vi.spyOn(performance, 'now').mockImplementation(() => time() + MINUTE_MS);
    expect((await service.request('POST', path, options)).status).toBe(404);
  } finally {
    vi.restoreAllMocks();
  }
});

test('RATE_LIMITS=off limits nobody', async () => {
  const free = await startService({ env: { RATE_LIMITS: 'off' } });
  const answer = await free.request('GET', '/livez', from('203.0.113.7'));
  expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
  await free.stop();
});

test('a TRUST_PROXY of everybody believes every proxy', async () => {
  const trusting = await startService({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '0.0.0.0/0, ::/0' } });
  try {
    const left = async (address: string) =>
      Number((await trusting.request('GET', '/livez', from(address))).headers.get('x-ratelimit-remaining'));
    expect([await left('203.0.113.7'), await left('203.0.113.7')]).toEqual([CALLS - 1, CALLS - 2]);
    expect([await left('2001:db8::7'), await left('198.51.100.7, 203.0.113.8')]).toEqual([
      CALLS - 1,
      CALLS - 1,
    ]);
    expect(await left('198.51.100.7')).toBe(CALLS - 2);
  } finally {
    await trusting.stop();
  }
});

test('each process counts for itself', async () => {
  const second = await startService({
    env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' },
    database: service.database,
    dataDir: service.dataDir,
  });
  try {
    const path = '/forms/divided/answer';
    const options = { ...from('203.0.113.77'), body: {} };
    expect(await statuses(ANSWERS + 1, 'POST', path, options)).toEqual({ 404: ANSWERS, 429: 1 });
    expect((await second.request('POST', path, options)).status).toBe(404);
    expect((await service.request('POST', path, options)).status).toBe(429);
  } finally {
    await second.stop();
  }
});
