import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../../server/context.ts';
import { mailInTurn } from '../../server/mail/mail-turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** @returns the seconds that a mail is put off; null when it is sent */
async function ask(context: Context, send = async () => {}): Promise<number | null> {
  let wait: number | null = null;
  const later = async (seconds: number) => {
    wait = seconds;
  };
  await mailInTurn(context, 'a server', { send, later });
  return wait;
}

test('mails that wait come again one after another, ever later while the server hangs', async () => {
  const context = {} as Context;
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = ask(context, () => promise);
  expect(await ask(context)).toBeCloseTo(0.2);
  expect(await ask(context)).toBeCloseTo(0.4);
  vi.advanceTimersByTime(8_000);
  expect(await ask(context)).toBeCloseTo(8);
  expect(await ask(context)).toBeCloseTo(16);
  for (let count = 0; count < 100; count++) await ask(context);
  expect(await ask(context)).toBe(600);
  resolve();
  expect(await first).toBeNull();
  expect(await ask(context)).toBeNull();
});

test('a server that is quick again puts off by as much as its mails take', async () => {
  const context = {} as Context;
  const sent = async () => void vi.advanceTimersByTime(50);
  expect(await ask(context, sent)).toBeNull();
  const { promise, resolve } = Promise.withResolvers<void>();
  const second = ask(context, () => promise);
  expect(await ask(context)).toBeLessThan(1);
  resolve();
  await second;
});
