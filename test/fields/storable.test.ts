import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DEPTH, MAX_MEMBERS, storageProblem } from '../../fields/storable.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

test.each([
  null,
  true,
  '',
  '😀',
  0,
  -1.5e-300,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  { a: [{ b: null }] },
  nested(MAX_DEPTH),
  members(MAX_MEMBERS),
  Array(MAX_MEMBERS).fill(0),
])('can store case %#', (value) => {
  expect(storageProblem(value)).toBeNull();
});

test.each<[unknown, RegExp]>([
  ['a\u0000b', /U\+0000/],
  [{ 'a\u0000': 1 }, /U\+0000/],
  [['\ud800'], /surrogate/],
  [{ '\udc00': 1 }, /surrogate/],
  [Number.POSITIVE_INFINITY, /beyond/],
  [Number.NaN, /more digits/],
  [2 ** 53, /beyond/],
  [-(2 ** 53), /beyond/],
  [[1e300], /beyond/],
  [nested(MAX_DEPTH + 1), /deeper than 32/],
  [members(MAX_MEMBERS + 1), /more than 2000 members/],
  [Array(MAX_MEMBERS + 1).fill(0), /more than 2000 items/],
  [undefined, /not JSON/],
  [{ a: 1n }, /not JSON/],
])('cannot store case %#', (value, problem) => {
  expect(storageProblem(value)).toMatch(problem);
});

test('a million levels do not exhaust the stack', () => {
  expect(storageProblem(JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000)))).toMatch(/deeper/);
});

test('what can be stored survives JSON unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(storageProblem(value) === null);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      expect(text.includes('\\u0000')).toBe(false);
    }),
  );
});
