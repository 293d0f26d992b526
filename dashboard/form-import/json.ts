import { isJsonObject, type JsonObject } from '../../fields/property.ts';

// Other products' exports are read defensively: a missing or unexpected value counts as empty.

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isJsonObject);
}

/** A text, or a number as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
}

/** A number, even if it is written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return numberOf(Number(value));
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** A whole number of at least 1. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** A web address, or undefined. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value);
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && !/\s/.test(text) ? text : undefined;
}

/** An object without a prototype, so that a key such as `constructor` is not found by accident. */
export function tableOf<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows);
}
