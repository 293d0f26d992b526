/** Characters of a text that is read as a number. */
const MAX_NUMBER_TEXT = 400;
/** The most digits that `toPrecision` can write. */
const MAX_PRECISION = 100;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?$/;
const PARTS = /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

/** The number a decimal text stands for, rounded to a double; undefined for hex, spaces, words, infinities. */
export function parseNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_TEXT || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * The number a decimal text stands for, if writing it again gives the same decimal value, so that nothing is lost: `"1.50"` is
 * 1.5, `"9007199254740993"` and `"1e400"` are 'inexact', `"0x10"` and `" 1"` are 'not a number'.
 */
export function exactNumber(text: string): number | 'inexact' | 'not a number' {
  if (text.length > MAX_NUMBER_TEXT || !NUMBER.test(text)) return 'not a number';
  const number = Number(text);
  return decimalValue(String(Math.abs(number))) === decimalValue(text) ? number : 'inexact';
}

/**
 * Whether a double, written with as many digits as the text has, equals the text's number: true for whatever programs print of a
 * double (`0.1`, `0.10000000000000001`), false for `0.12345678901234567890` and `1e-400`.
 */
export function keepsItsDigits(text: string, number: number): boolean {
  const value = decimalValue(text);
  const digits = value.indexOf('e');
  if (digits < 0) return number === 0;
  if (digits > MAX_PRECISION || !Number.isFinite(number)) return false;
  // Of two equally near decimals, JSON writes the even one and `toPrecision` the larger: 1040455210617086.25 is …6.2 or …6.3.
  const absolute = Math.abs(number);
  return [absolute.toPrecision(digits), String(absolute)].some((written) => decimalValue(written) === value);
}

/** Whether a number is finite and within ±(2^53 − 1), so that parsing JSON cannot have lost digits. */
export function isSafeNumber(number: number): boolean {
  return number <= Number.MAX_SAFE_INTEGER && number >= -Number.MAX_SAFE_INTEGER;
}

/** A finite number written without an exponent: 1e-7 is `0.0000001`. */
export function plainNumber(number: number): string {
  const text = String(number);
  const exponentAt = text.indexOf('e-');
  if (exponentAt < 0) return text.includes('e') ? BigInt(number).toString() : text;
  const sign = number < 0 ? '-' : '';
  const digits = text.slice(sign.length, exponentAt).replace('.', '');
  return `${sign}0.${'0'.repeat(Number(text.slice(exponentAt + 2)) - 1)}${digits}`;
}

/** Whether `plainNumber` writes some number so: `1.5`, but neither `007` and `1.50` nor more digits than a double holds. */
export function isPlainNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && plainNumber(number) === text;
}

/** Significant digits and power of ten, without sign: equal for equal values ("1.50" and "15e-1"). */
function decimalValue(text: string): string {
  const parts = PARTS.exec(text);
  if (parts === null) return text;
  const fraction = parts[2] ?? '';
  const digits = `${parts[1] ?? ''}${fraction}`;
  let start = 0;
  while (start < digits.length && digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  const power = Number(parts[3] ?? 0) - fraction.length + (digits.length - end);
  return `${digits.slice(start, end)}e${power}`;
}
