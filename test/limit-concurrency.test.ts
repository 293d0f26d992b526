import { expect, test } from 'vitest';
import {
  limitConcurrency,
  limitConcurrencyFairly,
  limitConcurrencyPerKey,
} from '../server/limit-concurrency.ts';

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

test('whoever leaves gives up the place in the line, and nobody does the work', async () => {
  const inTurn = limitConcurrency(1, 2);
  const [leaver, gone] = [new AbortController(), new AbortController()];
  gone.abort(new Error('gone before'));
  let end = () => {};
  const first = inTurn(() => new Promise<void>((resolve) => (end = resolve)));
  let begun = false;
  const left = inTurn(async () => {
    begun = true;
  }, leaver.signal);
  const next = inTurn(async () => 'next');
  await expect(inTurn(async () => 'third')).rejects.toMatchObject({ statusCode: 503 });
  leaver.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  // Its place in line is free again.
  const last = inTurn(async () => 'last');
  await expect(inTurn(async () => 'never', gone.signal)).rejects.toThrow('gone before');
  end();
  await first;
  expect([await next, await last, begun]).toEqual(['next', 'last', false]);
  // Work that has begun is not cut off, and then passes its turn on.
  const late = new AbortController();
  const under = inTurn(async () => late.abort(), late.signal);
  await under;
  expect(await inTurn(async () => 'after')).toBe('after');
});

test('each key has a line of its own', async () => {
  const inTurn = limitConcurrencyPerKey(1, 0);
  let end = () => {};
  const first = inTurn('a', () => new Promise<void>((resolve) => (end = resolve)));
  await expect(inTurn('a', async () => {})).rejects.toMatchObject({ statusCode: 503 });
  expect(await inTurn('b', async () => 'b')).toBe('b');
  end();
  await first;
  expect(await inTurn('a', async () => 'again')).toBe('again');
});

test('in a line for all keys, the newest of the key with the most gives way to one with fewer', async () => {
  const inTurn = limitConcurrencyFairly(1, 3);
  let end = () => {};
  const first = inTurn('a', () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = [1, 2, 3].map((n) => inTurn('a', async () => n));
  await expect(inTurn('a', async () => 4)).rejects.toMatchObject({ statusCode: 503 });
  const others = [inTurn('b', async () => 'b')];
  await expect(waiting[2]).rejects.toMatchObject({ statusCode: 503 });
  // Two of one and one of another are as fair as it gets for these two, but not for a third.
  await expect(inTurn('b', async () => 'b')).rejects.toMatchObject({ statusCode: 503 });
  others.push(inTurn('c', async () => 'c'));
  await expect(waiting[1]).rejects.toMatchObject({ statusCode: 503 });
  end();
  await first;
  expect(await Promise.all([waiting[0], ...others])).toEqual([1, 'b', 'c']);
});
