import { expect, test } from 'vitest';
import { limitConcurrency } from '../server/limit-concurrency.ts';

test('runs so many at once, in order of arrival, and refuses the rest', async () => {
  const inTurn = limitConcurrency(2, 2);
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const work = (n: number) =>
    inTurn(() => {
      started.push(n);
      return new Promise<number>((resolve) => ends.push(() => resolve(n)));
    });
  const first = [work(1), work(2), work(3), work(4)];
  await expect(work(5)).rejects.toMatchObject({ statusCode: 503 });
  expect(started).toEqual([1, 2]);
  ends[1]?.();
  expect(await first[1]).toBe(2);
  expect(started).toEqual([1, 2, 3]);
  ends[0]?.();
  ends[2]?.();
  expect(await Promise.all([first[0], first[2]])).toEqual([1, 3]);
  ends[3]?.();
  expect(await first[3]).toBe(4);
});

test('work that fails gives its turn on', async () => {
  const inTurn = limitConcurrency(1, 5);
  const failed = inTurn(() => Promise.reject(new Error('no')));
  const next = inTurn(async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
