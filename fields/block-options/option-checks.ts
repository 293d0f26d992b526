import type { OptionProblem } from '../field-type.ts';
import type { JsonObject, Property } from '../property.ts';
import { asNumber, isFlag, isOneOf } from './options.ts';

/** Problems with named options whose value is no flag. */
export function flagProblems(property: Property, keys: readonly string[]): OptionProblem[] {
  return keys
    .filter((key) => !isFlag(property[key]))
    .map((key) => ({ path: key, message: `The ${key} field must be a boolean.` }));
}

/** The problem if it is set, but not to a whole number of at least `minimum`. */
export function integerProblems(holder: JsonObject, key: string, minimum: number): OptionProblem[] {
  const value = holder[key];
  if (value === undefined || value === null || value === '') return [];
  const number = asNumber(value);
  if (number === undefined || !Number.isSafeInteger(number)) {
    return [{ path: key, message: `The ${key} field must be an integer.` }];
  }
  return number < minimum ? [{ path: key, message: `The ${key} field must be at least ${minimum}.` }] : [];
}

/** The problem if it is set, but not to a number. */
export function numberProblems(property: Property, key: string): OptionProblem[] {
  const value = property[key];
  if (value === undefined || value === null || value === '' || asNumber(value) !== undefined) return [];
  return [{ path: key, message: `The ${key} field must be a number.` }];
}

/** The problem if it is set, but not to a text of at most `max` characters. */
export function textProblems(property: Property, key: string, max: number): OptionProblem[] {
  const value = property[key];
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return [{ path: key, message: `The ${key} field must be a string.` }];
  const isLong = value.length > max;
  return isLong
    ? [{ path: key, message: `The ${key} field must not be greater than ${max} characters.` }]
    : [];
}

/** The problem if it is set, but not to one of these choices. */
export function enumProblems(property: Property, key: string, choices: readonly string[]): OptionProblem[] {
  const value = property[key];
  if (value === undefined || value === null || isOneOf(choices, value)) return [];
  return [{ path: key, message: `The ${key} must be one of: ${choices.join(', ')}` }];
}

/** The problem if it is set, but not to a list of texts. */
export function textListProblems(property: Property, key: string): OptionProblem[] {
  const value = property[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')) return [];
  return [{ path: key, message: `The ${key} field must be an array of texts.` }];
}
