import { expect, test } from 'vitest';
import { isSlug, makeSlug } from '../../server/forms/address/slug.ts';
import { timeAgo } from '../../server/forms/time-ago.ts';

test.each([
  ['Café & Menü!', /^cafe-menu-[a-z0-9]{6}$/],
  ['調査', /^form-[a-z0-9]{6}$/],
  ['--', /^form-[a-z0-9]{6}$/],
  ['12345', /^12345-[a-z0-9]{6}$/],
  [`${'a'.repeat(79)} b`, /^a{79}-[a-z0-9]{6}$/],
  ['é'.repeat(255), /^e{80}-[a-z0-9]{6}$/],
])('the slug of %s', (title, expected) => {
  const slug = makeSlug(title);
  expect(slug).toMatch(expected);
  expect(isSlug(slug)).toBe(true);
  expect(makeSlug(title)).not.toBe(slug);
});

test.each([
  [-5_000, '0 seconds ago'],
  [59_999, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [2 * 3_600_000, '2 hours ago'],
  [86_400_000, '1 day ago'],
  [800 * 86_400_000, '2 years ago'],
])('%i milliseconds are %s', (elapsed, expected) => {
  const now = new Date('2030-01-01T00:00:00Z');
  expect(timeAgo(new Date(now.getTime() - elapsed), now)).toBe(expected);
});
