import type { JsonValue } from '../property.ts';
import { parseNumber } from './numbers.ts';
import { textOf } from './text-of.ts';

/** Languages that write `3,5`; in those of the second pattern only some countries do, others write `3.5`. */
const WITH_COMMA = /^(?:c[as]|de|eu|fr|gl|hu|it|jv|nl|pl|pt|ru|s[krv]|tr|uk|vi)/;
const WITH_EITHER = /^(?:ar|es)/;
/** Digits, possibly grouped by thousands (or as in India), a fraction, a power of ten. */
const NUMBER =
  /^[+-]?(?:\d*|[1-9]\d{0,2}([, ’])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})(?:[.٫]\d*)?(?:e[+-]?\d+)?$/i;
/** A fraction in whatever language: groups have three digits, in Chinese sometimes four, and do not begin with a zero. */
const WITH_FRACTION = /^[+-]?(?:0?,\d+|\d+,(?!\d{3,4}$)\d+)$/;
/** Its last part may be a fraction or thousands. */
const IN_DOUBT = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * Turns a number typed on a page in `language` into the API's form: in German `3,5` is `3.5` and `1.234,5` is `1234.5`; in every
 * language `٣٫٥` and `3,5` are `3.5`. Null for other texts, and for ambiguous ones: in German `1.234`.
 */
export function typedNumber(typed: string, language: string): string | null {
  const text = plainSigns(typed);
  // The possible thousands separators.
  const signs = WITH_EITHER.test(language) ? '.,' : WITH_COMMA.test(language) ? '.' : ',';
  if (signs.includes(IN_DOUBT.exec(text)?.[1] ?? '-')) return null;
  const swapped = text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
  const usual = signs === ',' && !WITH_FRACTION.test(text) ? text : swapped;
  const known = [usual, text].find((way) => NUMBER.test(way));
  return known?.replace(/[, ’]/g, '').replace('٫', '.') ?? null;
}

/** An answer to a number field as the page's input shows it; an ambiguous one came as a list. */
export function writtenAnswer(answer: JsonValue, language: string): string {
  return Array.isArray(answer) ? textOf(answer) : writtenNumber(textOf(answer), language);
}

/** A number of the API as the page's input shows it, so that `typedNumber` reads the same; other texts unchanged. */
export function writtenNumber(text: string, language: string): string {
  if (parseNumber(text) === undefined) return text;
  const written = readNumber(text, language);
  return typedNumber(written, language) === null ? `${written}0` : written;
}

/** A number of the API as a sentence on the page writes it. */
export function readNumber(text: string, language: string): string {
  return WITH_COMMA.test(language) || language.startsWith('es') ? text.replace('.', ',') : text;
}

/** Turns digits of any script into ASCII, and unifies spaces and signs. */
function plainSigns(text: string): string {
  return text
    .replace(/\p{Nd}/gu, (digit) => `${digitOf(digit.codePointAt(0) ?? 0)}`)
    .replace(/[\u061c\u200e\u200f]/g, '')
    .replace(/[−－]/g, '-')
    .replace(/[٬']/g, '’')
    .replace(/．/g, '.')
    .replace(/\s/g, ' ')
    .trim();
}

/** Digits stand in rows of ten, beginning with zero (Unicode, 4.6). */
function digitOf(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
