import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { isKnownDevice } from '../../server/accounts/known-device.ts';
import { clientNeighbourhood } from '../../server/http/network/client-network.ts';
import { useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';

/** Twice as many as are compared at once and may wait. */
const GUESSES = 64;

const home = useHome({ env: { TRUST_PROXY: '127.0.0.1/32' } });

const signIn = (email: string, password: string, address: string, cookie = '') =>
  home.service.request('POST', '/login', {
    headers: { 'x-forwarded-for': address, cookie },
    body: { email, password },
  });

test('while many networks of one neighbourhood guess passwords, somebody from elsewhere signs in', async () => {
  const crowded = Promise.withResolvers<void>();
  const guesses = Array.from({ length: GUESSES }, async (_, n) => {
    const { status } = await signIn(`${randomUUID()}@example.com`, 'x', `2001:db8:7:${n + 1}::1`);
    if (status === 503) crowded.resolve();
    return status;
  });
  await crowded.promise;
  const { email, password } = home.ada;
  expect((await signIn(email, password, '2001:db8:8::1')).status).toBe(200);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([422, 503]));
});

describe('while many neighbourhoods guess passwords', () => {
  /** @returns once they fill the line */
  async function crowd() {
    const crowded = Promise.withResolvers<void>();
    const guesses = Array.from({ length: GUESSES }, async (_, n) => {
      const { status } = await signIn(`${randomUUID()}@example.com`, 'x', `2001:db8:${1000 + n}::1`);
      if (status === 503) crowded.resolve();
    });
    await crowded.promise;
    return { over: Promise.all(guesses) };
  }

  test('people sign in, and prove who they are, on devices where they had signed in', async () => {
    const { email, password, cookie: session } = home.ada;
    const device = deviceOf(await signIn(email, password, '2001:db8:9::1'));
    const { over } = await crowd();
    const answers = await Promise.all([
      signIn(email, password, '2001:db8:9::1', device),
      home.service.request('POST', '/settings/second-factor', {
        cookie: session,
        body: { current_password: password },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await over;
  });

  test('a device is known for one person, and for some time', async () => {
    const { id, email, password } = home.ada;
    const device = deviceOf(await signIn(email, password, '2001:db8:11::1'));
    const isKnown = (cookie: string, userId = id) => {
      const [name = '', value = ''] = cookie.split('=');
      const server = { parseCookie: () => ({ [name]: value }) };
      return isKnownDevice(home.service.context, { headers: { cookie }, server } as any, userId);
    };
    expect([isKnown(device), isKnown(device, id + 1), isKnown('')]).toEqual([true, false, false]);
    expect(isKnown(device.replace(/=\d+/, `=${id + 1}`), id + 1)).toBe(false);
    expect(isKnown(device.replace(/\.\d/, '.9'))).toBe(false);
    expect(isKnown(device.slice(0, -1))).toBe(false);
    vi.setSystemTime(Date.now() + 181 * 24 * 60 * 60 * 1000);
    expect(isKnown(device)).toBe(false);
    vi.useRealTimers();
  });

  test('wrong passwords count on those devices, too', async () => {
    const { email, password } = home.ada;
    const device = deviceOf(await signIn(email, password, '2001:db8:12::1'));
    const statuses = [];
    for (const typed of ['a', 'b', 'c', 'd', 'e', password])
      statuses.push((await signIn(email, typed, '2001:db8:12::1', device)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});

function deviceOf({ headers }: Answer): string {
  const cookies = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return cookies.find((cookie) => cookie.startsWith('formstead_device=')) ?? '';
}

test('neighbours are the networks that one customer of a provider can have', () => {
  expect(clientNeighbourhood('2001:db8:7:1::1')).toBe(clientNeighbourhood('2001:db8:7:ffff::2'));
  expect(clientNeighbourhood('2001:db8:8::1')).not.toBe(clientNeighbourhood('2001:db8:7::1'));
  for (const same of ['198.51.100.200', '198.51.100.7:4711', '::ffff:198.51.100.9'])
    expect(clientNeighbourhood(same)).toBe('198.51.100.0');
  expect(clientNeighbourhood('198.51.101.1')).toBe('198.51.101.0');
  expect(clientNeighbourhood('_hidden')).toBe('unknown');
});
