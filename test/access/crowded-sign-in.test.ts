import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientNeighbourhood } from '../../server/http/client-network.ts';
import { useHome } from '../setup/home.ts';

/** Twice as many as are compared at once and may wait. */
const GUESSES = 64;

const home = useHome({ env: { TRUST_PROXY: '127.0.0.1/32' } });

const signIn = (email: string, password: string, address: string) =>
  home.service.request('POST', '/login', {
    headers: { 'x-forwarded-for': address },
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

test('neighbours are the networks that one customer of a provider can have', () => {
  expect(clientNeighbourhood('2001:db8:7:1::1')).toBe(clientNeighbourhood('2001:db8:7:ffff::2'));
  expect(clientNeighbourhood('2001:db8:8::1')).not.toBe(clientNeighbourhood('2001:db8:7::1'));
  for (const same of ['198.51.100.200', '198.51.100.7:4711', '::ffff:198.51.100.9'])
    expect(clientNeighbourhood(same)).toBe('198.51.100.0');
  expect(clientNeighbourhood('198.51.101.1')).toBe('198.51.101.0');
  expect(clientNeighbourhood('_hidden')).toBe('unknown');
});
