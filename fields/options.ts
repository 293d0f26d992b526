import { parseNumber } from './numbers.ts';
import type { JsonValue, Property } from './property.ts';

/** A flag as clients write it: true, 1, "1" and "true" are on, everything else is off. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Values accepted where a flag may be saved; null and absent mean off. */
export function isFlag(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    typeof value === 'boolean' ||
    value === 0 ||
    value === 1 ||
    value === '0' ||
    value === '1' ||
    value === 'true' ||
    value === 'false'
  );
}

/** The numeric option of a property (a numeric string counts), or undefined when unset or unusable. */
export function numberOption(property: Property, key: string): number | undefined {
  return asNumber(property[key]);
}

/** A JSON number, or the number a numeric string writes; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** The names of a list option given as plain strings (matrix rows, unavailable countries). */
export function stringList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** True for a text that is one of the choices. */
export function isOneOf(choices: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && choices.includes(value);
}

/** A text of nothing but white space. */
export function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** What an unanswered field looks like: undefined, null, "" and []. Zero and false are answers. */
export function isBlank(answer: JsonValue | undefined): boolean {
  return (
    answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0)
  );
}
