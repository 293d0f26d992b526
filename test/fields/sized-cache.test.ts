import { expect, test } from 'vitest';
import { SizedCache } from '../../fields/sized-cache.ts';

test('what was not asked for longest goes first, when all of it is too large', () => {
  const cache = new SizedCache<string, number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('one that takes another’s place takes its size too, and one that is too large stands alone', () => {
  const cache = new SizedCache<string, number>(10);
  cache.set('a', 1, 8);
  cache.set('a', 2, 3);
  cache.set('b', 3, 7);
  expect([cache.get('a'), cache.get('b')]).toEqual([2, 3]);
  cache.set('c', 4, 50);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, 4]);
  cache.set('d', 5, 1);
  expect([cache.get('c'), cache.get('d')]).toEqual([undefined, 5]);
});

test('what is forgotten leaves its room', () => {
  const cache = new SizedCache<string, number>(10);
  cache.set('a', 1, 5);
  cache.set('b', 2, 5);
  cache.deleteAll((value) => value === 1);
  cache.set('c', 3, 5);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 2, 3]);
});
