import { isSafeNumber } from './as-text/numbers.ts';

/** Deepest nesting of arrays and objects; the outermost counts as 1. */
export const MAX_DEPTH = 32;
/** Members of one object, or items of one array. */
export const MAX_MEMBERS = 2000;

/**
 * Why a parsed JSON value cannot be stored exactly as sent, or null if it can. PostgreSQL stores neither U+0000 nor half of a
 * surrogate pair. Numbers beyond ±(2^53 − 1) have lost digits when JSON is parsed; our parsers give NaN for other numbers that
 * lost some. Recursion ends at MAX_DEPTH, so hostile nesting cannot exhaust the stack.
 * @param depth of the value in what is stored
 */
export function storageProblem(value: unknown, depth = 1): string | null {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number') return numberProblem(value);
  if (typeof value === 'boolean' || value === null) return null;
  if (typeof value !== 'object') return 'A value is not JSON.';
  if (depth > MAX_DEPTH) return `Values may not be nested deeper than ${MAX_DEPTH} levels.`;
  return Array.isArray(value) ? arrayProblem(value, depth) : objectProblem(value, depth);
}

function arrayProblem(items: readonly unknown[], depth: number): string | null {
  if (items.length > MAX_MEMBERS) return `A list may not have more than ${MAX_MEMBERS} items.`;
  for (const item of items) {
    const problem = storageProblem(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function objectProblem(object: object, depth: number): string | null {
  let members = 0;
  // Parsed JSON inherits nothing enumerable, and V8 reads members fast in this loop.
  for (const key in object) {
    if (++members > MAX_MEMBERS) return `An object may not have more than ${MAX_MEMBERS} members.`;
    const problem = textProblem(key) ?? storageProblem((object as Record<string, unknown>)[key], depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'A text contains the character U+0000, which cannot be stored.';
  return text.isWellFormed() ? null : 'A text contains half of a surrogate pair, which cannot be stored.';
}

function numberProblem(number: number): string | null {
  if (isSafeNumber(number)) return null;
  // NaN stands for a number that lost digits in parsing; JSON itself cannot contain it.
  return Number.isNaN(number)
    ? 'A number has more digits, or is nearer to 0, than can be stored exactly.'
    : `A number is beyond ±${Number.MAX_SAFE_INTEGER} and cannot be stored exactly.`;
}
