import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileTemplate as compile } from '../../server/public-pages/page/page-template.ts';

const PLACES = ['{{first}}', '{{other-place}}'];

function compileTemplate(page: string, places: readonly string[]) {
  const template = compile(page, places);
  if (!template) throw new Error('The page has too many places.');
  return template;
}

/** Half of the values are as long as the place. */
const value = (length: number) =>
  fc.oneof(
    fc.string({ minLength: length, maxLength: length, unit: 'grapheme-ascii' }),
    fc.string({ maxLength: 40, unit: 'grapheme' }),
  );

test('a page with its values in place reads the same plain and compressed', () => {
  const words = fc.array(
    fc.oneof(fc.constantFrom(...PLACES, '<p class="x">', ' nonce="', 'ß 漢字 🙂'), fc.string()),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(words, value(9), value(15), (parts, first, other) => {
      const page = parts.join('');
      const template = compileTemplate(page, PLACES);
      const wanted = page
        .split(/(\{\{first\}\}|\{\{other-place\}\})/)
        .map((part) => (part === PLACES[0] ? first : part === PLACES[1] ? other : part));
      expect(template.plain([first, other])).toBe(wanted.join(''));
      expect(gunzipSync(template.gzip([first, other])).toString()).toBe(wanted.join(''));
    }),
  );
});

test('never copies from a place, and so never one visitor’s value to another', () => {
  const page = `${'<a nonce="{{first}}">'.repeat(50)}{{firs{{other-place}}`;
  const template = compileTemplate(page, PLACES);
  const one = gunzipSync(template.gzip(['AAAAAAAAA', 'B'.repeat(15)])).toString();
  const two = gunzipSync(template.gzip(['{{firstCC', 'D'.repeat(15)])).toString();
  expect(one).toBe(page.replaceAll('{{first}}', 'AAAAAAAAA').replace('{{other-place}}', 'B'.repeat(15)));
  expect(two).not.toContain('AAAA');
  expect(two.match(/\{\{firstCC/g)).toHaveLength(50);
});

test('is hardly larger than what gzip makes of the whole', () => {
  const half = Array.from({ length: 200 }, (_, n) => `<p id="f${n}">some words that come again</p>`).join('');
  const page = `${half}{{first}}${half}`;
  const whole = gzipSync(page, { level: 9 }).length;
  expect(compileTemplate(page, PLACES).gzip(['x'.repeat(9), '']).length).toBeLessThan(whole + 100);
});

test('is somewhat larger behind a value that is not as long as its place, and right', () => {
  const page = `${'<p>words</p>'.repeat(50)}{{first}}${'<p>words</p>'.repeat(50)}{{first}}<p>words</p>`;
  const template = compileTemplate(page, PLACES);
  for (const first of ['', 'short', 'x'.repeat(9), 'y'.repeat(20_000)])
    expect(gunzipSync(template.gzip([first, ''])).toString()).toBe(page.replaceAll('{{first}}', first));
});

test('a page with very many places is none', () => {
  expect(compile('{{first}} '.repeat(499), PLACES)).not.toBeNull();
  expect(compile('{{first}} '.repeat(500), PLACES)).toBeNull();
});
