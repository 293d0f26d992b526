import { exactNumber } from './numbers.ts';
import { typedNumber } from './typed-number.ts';

/** The sign before a fraction. */
export type DecimalSign = '.' | ',';

/** In this language `typedNumber` accepts a number only if every other language reads it the same way. */
const CAUTIOUS_LANGUAGE = 'es';
/** A language with decimal commas. */
const COMMA_LANGUAGE = 'de';
/** `1.234`, `12.500.000` */
const POINTED_THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/;
/** `1,234`, `12,500,000` */
const COMMA_THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;
/** `1.234`, `1,234`: in some countries a thousand and more, in others one and a bit. */
const IN_TWO_WAYS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
const WITH_POINT = writtenWith('\\.', ',');
const WITH_COMMA = writtenWith(',', '\\.');

/** `0,5`, `12,50`, `1.234,5`, `1 234,567`, and `1.234.567`, where the points can only be thousands separators. */
function writtenWith(sign: string, other: string): RegExp {
  const fractions = [
    `\\d*${sign}(?:\\d{1,2}|\\d{4,})`,
    `(?:0|\\d{4,})${sign}\\d+`,
    `[1-9]\\d{0,2}(?:[${other}\\s’']\\d{3})+${sign}\\d+`,
  ];
  return new RegExp(`^[+-]?(?:${fractions.join('|')}|[1-9]\\d{0,2}(?:${other}\\d{3}){2,})$`);
}

/**
 * Turns a number in a table into the API's form: `1,234.5` and `1.234,5` have one meaning in every country, `1,234` has not.
 * @param sign the decimal sign of the column's numbers, if known
 */
export function plainNumberText(text: string, sign?: DecimalSign): string {
  if (sign === ',' && POINTED_THOUSANDS.test(text)) return text.replaceAll('.', '');
  if (sign === '.' && COMMA_THOUSANDS.test(text)) return text.replaceAll(',', '');
  if (typeof exactNumber(text) === 'number') return text;
  return typedNumber(text, sign === ',' ? COMMA_LANGUAGE : CAUTIOUS_LANGUAGE) ?? text;
}

/**
 * What a number tells about its column's decimal sign: 'either' if it is ambiguous; null if it has neither a fraction nor
 * thousands.
 */
export function decimalSignIn(written: string): DecimalSign | 'either' | null {
  // A shortcut: most numbers are whole, and there may be many.
  if (!written.includes(',') && !written.includes('.')) return null;
  const text = written.trim();
  if (IN_TWO_WAYS.test(text)) return 'either';
  if (WITH_POINT.test(text)) return '.';
  return WITH_COMMA.test(text) ? ',' : null;
}
