/**
 * Spreadsheets run text that begins like a formula, even after white space and invisible characters or in full-width letters
 * (CWE-1236). Such text gets a leading apostrophe. So does text that looks guarded already, or an answer `'=1` would lose its own
 * apostrophe on the way back. JavaScript and PostgreSQL both use the pattern, so it is written in the common part of their
 * regular expressions.
 */
const INVISIBLE =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff';
const STARTERS = '=+@|%\\uff1d\\uff0b\\uff0d\\uff20-';

export const FORMULA_PATTERN = `^'*(?:[\\t\\r\\n]|[${INVISIBLE}]*[${STARTERS}])`;

/** What a number field may contain without being guarded: numbers as PostgreSQL writes them from jsonb. */
export const NUMBER_PATTERN = '^-?[0-9]+(?:\\.[0-9]+)?$';

const FORMULA = new RegExp(FORMULA_PATTERN);

/** The text, with a leading apostrophe if a spreadsheet might run it, or if it looks guarded already. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text without the apostrophe that `guardFormula` may have added. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
