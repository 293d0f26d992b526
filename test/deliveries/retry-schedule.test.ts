import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from '../../server/deliveries/retry-schedule.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOURS = 3600;
const STEPS_SECONDS = [
  0,
  5,
  30,
  120,
  600,
  1800,
  2 * HOURS,
  5 * HOURS,
  10 * HOURS,
  14 * HOURS,
  20 * HOURS,
  24 * HOURS,
];

const never = () => 0;

/** Seconds to wait after `attempts` attempts. */
function delay(attempts: number, retryAfter?: string | null, random = never): number | null {
  const ms = retryDelayMs(attempts, retryAfter, random, NOW);
  return ms === null ? null : ms / 1000;
}

test('twelve attempts over at least 75 hours, then none', () => {
  expect(STEPS_SECONDS.map((_, attempts) => delay(attempts))).toEqual(STEPS_SECONDS);
  expect(delay(12)).toBeNull();
  expect(delay(100)).toBeNull();
  expect(delay(12, '60')).toBeNull();
  expect(STEPS_SECONDS.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(75 * HOURS);
});

test('a wait is lengthened by 20 percent at most and never shortened', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 11 }), random, (attempts, chance) => {
      const seconds = delay(attempts, null, () => chance)!;
      expect(seconds).toBeGreaterThanOrEqual(STEPS_SECONDS[attempts]!);
      expect(seconds).toBeLessThanOrEqual(STEPS_SECONDS[attempts]! * 1.2 + 0.001);
    }),
  );
  expect(delay(1, null, () => 0.5)).toBe(5.5);
});

test.each([
  ['60', 60],
  [' 60 ', 60],
  ['21600', 6 * HOURS],
  ['21601', 6 * HOURS],
  ['999999999999999999999999', 6 * HOURS],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60],
  ['Sun Mar  1 12:01:00 2026', 60],
  ['Sun, 01 Mar 2099 12:00:00 GMT', 6 * HOURS],
])('Retry-After "%s" is honoured up to six hours', (header, seconds) => {
  expect(delay(1, header)).toBe(seconds);
});

test.each([
  undefined,
  null,
  '',
  '0',
  '4',
  '-60',
  '+60',
  '60.5',
  '1e3',
  '0x3c',
  '６０',
  'soon',
  'NaN',
  'Infinity',
  '60, 120',
  '2026-03-01T13:00:00Z',
  'Sun, 01 Mar 2026 11:00:00 GMT',
  'Sun, 01 Xyz 2026 13:00:00 GMT',
  'Sun, 01 Mar 2026 99:99:99 GMT',
])('Retry-After "%s" leaves the step as it is', (header) => {
  expect(delay(1, header)).toBe(5);
});

test('Retry-After never shortens a long step', () => {
  expect(delay(11, '60')).toBe(24 * HOURS);
  expect(delay(11, '21600', () => 1)).toBe(24 * HOURS * 1.2);
});
