import { parseNumber } from '../as-text/numbers.ts';
import type { JsonValue, Property } from '../property.ts';

/** Whether a flag is on: true, 1, "1" and "true" are, everything else is off. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Whether an option is not set: null and absent mean the same. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a value may be saved as a flag; an unset one is off. */
export function isFlag(value: unknown): boolean {
  return (
    isUnset(value) ||
    typeof value === 'boolean' ||
    value === 0 ||
    value === 1 ||
    value === '0' ||
    value === '1' ||
    value === 'true' ||
    value === 'false'
  );
}

/** A numeric option of a property (a numeric string counts), or undefined if it is unset or unusable. */
export function numberOption(property: Property, key: string): number | undefined {
  return asNumber(property[key]);
}

/** A JSON number, or a numeric string's number; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** The texts of a list option (matrix rows, unavailable countries). */
export function stringList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** True for a text that is one of the choices. */
export function isOneOf(choices: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && choices.includes(value);
}

/** Whether a text has nothing but white space. */
export function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** Whether a field is unanswered: undefined, null, "" or []. Zero and false are answers. */
export function isBlank(answer: JsonValue | undefined): boolean {
  return (
    answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0)
  );
}
