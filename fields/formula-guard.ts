/**
 * Spreadsheets run text that begins like a formula, also behind white space and invisible characters and in
 * full-width letters (CWE-1236). Such text gets a leading apostrophe, and so does what begins like guarded text, or an answer
 * `'=1` would come back without its own. The pattern is written in the common part of
 * JavaScript's and PostgreSQL's regular expressions, because both sides use it.
 */
const INVISIBLE =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff';
const STARTERS = '=+@|%\\uff1d\\uff0b\\uff0d\\uff20-';

export const FORMULA_PATTERN = `^'*(?:[\\t\\r\\n]|[${INVISIBLE}]*[${STARTERS}])`;

/** What a number field may hold without being text: as PostgreSQL writes numbers of jsonb. */
export const NUMBER_PATTERN = '^-?[0-9]+(?:\\.[0-9]+)?$';

const FORMULA = new RegExp(FORMULA_PATTERN);

/** The text, with a leading apostrophe when a spreadsheet might run it, or it seems to have one. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text without an apostrophe that `guardFormula` may have added. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
