import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../server/accounts/passwords.ts';
import { processorMs } from '../setup/processor-time.ts';

test('a hash tells its costs, differs each time and fits its password alone', async () => {
  const [first, second] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
  expect(first).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(second).not.toBe(first);
  expect(await verifyPassword('pässword', first)).toBe(true);
  expect(await verifyPassword('password', first)).toBe(false);
});

test('hashes made with other costs stay good', async () => {
  const stored = 'scrypt$1024$8$1$AAAAAAAAAAAAAAAAAAAAAA$8loC2BPOFeiRLupBLv4Y7qpvO5nSAWFTuwG3VtaArdk';
  expect(await verifyPassword('older', stored)).toBe(true);
  expect(await verifyPassword('x', 'not a hash')).toBe(false);
});

test('an account that does not exist takes as long as one that does', async () => {
  const stored = await hashPassword('right');
  const known = await millisecondsOf(() => verifyPassword('wrong', stored));
  const unknown = await millisecondsOf(() => verifyPassword('wrong', null));
  expect(unknown).toBeGreaterThan(known / 4);
});

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    durations.push(await processorMs(work));
  }
  return Math.min(...durations);
}
