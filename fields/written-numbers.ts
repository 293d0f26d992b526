import { exactNumber } from './numbers.ts';
import { typedNumber } from './typed-number.ts';

/** `typedNumber` takes a number in it only when every other language reads the same. */
const CAUTIOUS_LANGUAGE = 'es';
/** One with decimal commas. */
const COMMA_LANGUAGE = 'de';
/** `1.234`, `12.500.000` */
const POINTED_THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/;
/** `12.500.000`: of a fraction nobody divides the digits. */
const POINTED_MILLIONS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/;
/** `0,5`, `12,50`, `1.234,5`: one comma alone, and not what `1,234` could be. */
const DECIMAL_COMMA = /^[+-]?(?:\d+|[1-9]\d{0,2}(?:[.\s’']\d{3})+),(?:\d{1,2}|\d{4,})$|^[+-]?0,\d+$/;
const DECIMAL_POINT = /^[+-]?\d*\.\d*$/;

/**
 * A number as a table writes it, as the API takes it: `1,234.5` and `1.234,5` are one number in every country, `1,234` is not.
 * @param hasDecimalCommas see `decimalCommas`: then `1.234` is a thousand, and `1,234` one and a bit
 */
export function plainNumberText(text: string, hasDecimalCommas: boolean): string {
  if (hasDecimalCommas && POINTED_THOUSANDS.test(text)) return text.replaceAll('.', '');
  if (typeof exactNumber(text) === 'number') return text;
  return typedNumber(text, hasDecimalCommas ? COMMA_LANGUAGE : CAUTIOUS_LANGUAGE) ?? text;
}

/** Whether the numbers of a column have decimal commas: some cell shows it, and none has a decimal point. */
export function decimalCommas(cells: Iterable<string>): boolean {
  let hasComma = false;
  for (const cell of cells) {
    const text = cell.trim();
    if (DECIMAL_POINT.test(text) && !POINTED_THOUSANDS.test(text)) return false;
    hasComma ||= DECIMAL_COMMA.test(text) || POINTED_MILLIONS.test(text);
  }
  return hasComma;
}
