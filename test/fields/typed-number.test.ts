import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactNumber, plainNumber } from '../../fields/as-text/numbers.ts';
import { typedNumber, writtenNumber } from '../../fields/as-text/typed-number.ts';
import { readPost } from '../../fields/html/read-post.ts';
import { LANGUAGES } from '../../fields/languages/languages.ts';
import { property } from './forms.ts';
import { sendBack } from './html/page.ts';

test.each([
  ['de', '3,5', '3.5'],
  ['sv', '3,5', '3.5'],
  ['cs', '1 234,5', '1234.5'],
  ['en', '3,5', '3.5'],
  ['de', '3.5', '3.5'],
  ['de', '-0,125', '-0.125'],
  ['de', '0.125', '0.125'],
  ['de', '1,234', '1.234'],
  ['de', '1.234', null],
  ['de', '1.234,5', '1234.5'],
  ['de', '1,234.5', '1234.5'],
  ['de', '1.234.567', '1234567'],
  ['de', "1'234,5", '1234.5'],
  ['de', '1.23,4', null],
  ['de', '1,2,3', null],
  ['de', '3 Euro', null],
  ['de', '5²', null],
  ['de', '1e3', '1e3'],
  ['de', ' 7 ', '7'],
  ['fr', '1 234,5', '1234.5'],
  ['ru', '1\u00a0234\u00a0567', '1234567'],
  ['fr', '12 34', null],
  ['en', '3.5', '3.5'],
  ['en', '1.234', '1.234'],
  ['en', '-1234,56', '-1234.56'],
  ['en', '0,125', '0.125'],
  ['en', ',5', '.5'],
  ['en', '50,000', null],
  ['en', '1234,567', null],
  ['zh', '12,3456', null],
  ['en', '3,', null],
  ['en', '1,2,3', null],
  ['hi', '3,5', '3.5'],
  ['en', '1,234', null],
  ['en', '1,234,567', '1234567'],
  ['en', '1,234.5', '1234.5'],
  ['en', '1,234 567', null],
  ['en', '.5', '.5'],
  ['hi', '12,34,567.5', '1234567.5'],
  ['hi', '३.५', '3.5'],
  ['es', '3,5', '3.5'],
  ['es', '3.5', '3.5'],
  ['es', '1,234', null],
  ['es', '1.234', null],
  ['ar', '٣٫٥', '3.5'],
  ['ar', '١٫٢٣٤', '1.234'],
  ['ar', '١٬٢٣٤٬٥٦٧', '1234567'],
  ['ar', '\u061c-٣', '-3'],
  ['ar', '۳٫۵', '3.5'],
  ['en', '۱۲', '12'],
  ['ja', '３．５', '3.5'],
  ['de', '−3,5', '-3.5'],
])('in %s %s is %s', (language, typed, number) => {
  expect(typedNumber(typed, language)).toBe(number);
});

test('what is shown of a number is read as the same number, in every language', () => {
  const numbers = fc.oneof(
    fc.double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((thousandths) => thousandths / 1000),
  );
  fc.assert(
    fc.property(numbers, fc.constantFrom(...LANGUAGES.map(({ code }) => code)), (number, language) => {
      const read = typedNumber(writtenNumber(plainNumber(number), language), language);
      expect(exactNumber(read ?? '') as number).toBe(number + 0);
    }),
  );
});

const inGerman = (typed: string) => typedNumber(typed, 'de');

test('what may be two numbers is none, and is shown as it was typed', () => {
  const posted = { getAll: (name: string) => (name === 'x' ? ['1.234'] : []) };
  const field = property('number');
  const { x: answer } = readPost([field], posted, { isComplete: true, typedNumber: inGerman });
  expect(answer).toEqual(['1.234']);
  expect(sendBack(field, ['1.234'], { language: 'de' })).toEqual({ x: '1.234' });
  expect(sendBack(field, 1.234, { language: 'de' })).toEqual({ x: '1,234' });
  expect(sendBack({ ...field, hidden: true }, 1.234, { language: 'de' })).toEqual({ x: '1,234' });
  const scale = property('scale', { scale_min_value: 1, scale_max_value: 2, scale_step_value: 0.125 });
  expect(readPost([scale], { getAll: () => ['1.125'] }, { isComplete: true, typedNumber: inGerman })).toEqual(
    {
      x: '1.125',
    },
  );
});
