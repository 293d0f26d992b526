import { plainNumber } from '../as-text/numbers.ts';
import { textOf } from '../as-text/text-of.ts';
import { asNumber } from '../block-options/options.ts';
import { type Answers, isJsonObject, type JsonValue, ownMember } from '../property.ts';

/** A value within a formula; null is blank. */
export type Value = number | string | boolean | null | Value[];

/** The reason why a formula has no value: it divides by zero, calculates with words, or takes too long. `IFERROR` catches it. */
export class FormulaError extends Error {}

/** Longest text in a formula, in characters: an answer's, or one made by a function. */
const MAX_TEXT = 5_000;
/** Looking through so many characters counts as one step. */
const CHARACTERS_PER_STEP = 25;

/** An answer as a value; an object, such as a matrix's answer, becomes its text. */
export function valueOfAnswer(answer: JsonValue | undefined): Value {
  if (answer === undefined || answer === null) return null;
  if (Array.isArray(answer)) return answer.map(valueOfAnswer);
  return isJsonObject(answer) ? textOf(answer as JsonValue) : (answer as Value);
}

/**
 * The answer that a formula names: a field's by its id, or by `<field id>.<question id>` a list with the answer of each entry,
 * null if an entry has none.
 */
export function namedAnswer(answers: Answers, id: string): JsonValue | undefined {
  const answer = ownMember(answers, id);
  if (answer !== undefined) return answer;
  for (let dot = id.indexOf('.'); dot >= 0; dot = id.indexOf('.', dot + 1)) {
    const entries = ownMember(answers, id.slice(0, dot));
    if (Array.isArray(entries) && entries.every(isJsonObject))
      return entries.map((entry) => ownMember(entry as Answers, id.slice(dot + 1)) ?? null);
  }
  return undefined;
}

/**
 * Steps for looking through a value once.
 * @param longest text that is looked through; longer ones are refused unread
 */
export function effortOf(value: Value, longest = MAX_TEXT): number {
  if (typeof value === 'string') return Math.min(value.length, longest) / CHARACTERS_PER_STEP;
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum: number, item) => sum + 1 + effortOf(item, longest), 0);
}

export function isBlankValue(value: Value): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Blank is 0, as in a spreadsheet; a text counts if it is a number. */
export function numberOf(value: Value): number {
  if (isBlankValue(value)) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = asNumber(Array.isArray(value) && value.length === 1 ? value[0] : value);
  if (number === undefined) throw new FormulaError('not a number');
  return number;
}

/**
 * Rounds off the last digits, which binary fractions get wrong (0.1 + 0.2).
 * @throws FormulaError unless it is finite
 */
export function finite(number: number): number {
  if (!Number.isFinite(number)) throw new FormulaError('not a number');
  return Number(number.toPrecision(15));
}

export function writtenAs(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return plainNumber(value);
  return limited(Array.isArray(value) ? value.map(writtenAs).join(', ') : value);
}

export function limited(text: string): string {
  refuseLonger(text.length);
  return text;
}

/** @param length of a text to be made, in characters */
export function refuseLonger(length: number): void {
  if (length > MAX_TEXT) throw new FormulaError('too long a text');
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return numberOf(value) !== 0;
}

/** Negative, zero or positive. Compares numbers, and texts that are numbers, by size; other texts ignoring case. */
export function compare(left: Value, right: Value): number {
  const [a, b] = [comparable(left, right), comparable(right, left)];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [writtenAs(left).toLowerCase(), writtenAs(right).toLowerCase()];
  return x < y ? -1 : Number(x > y);
}

/** Blank compared with a number is 0. */
function comparable(value: Value, other: Value): number | undefined {
  if (isBlankValue(value)) return typeof other === 'number' ? 0 : undefined;
  return Array.isArray(value) || typeof value === 'boolean' ? undefined : asNumber(value);
}

/** The values, with lists replaced by their members, without blanks. */
export function flat(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? flat(value) : isBlankValue(value) ? [] : [value]));
}
