import { isUuid } from '../../../fields/uuid.ts';
import { notFound } from '../errors.ts';

const POSITIVE_INTEGER = /^[1-9][0-9]{0,15}$/;

/** Reads a numeric id from a path or body; null for what cannot be one (`01`, ` 1`, `1e3`, beyond 2^53). */
export function parseId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || !POSITIVE_INTEGER.test(value)) return null;
  const id = Number(value);
  return Number.isSafeInteger(id) ? id : null;
}

/** A numeric id in a path. @throws HttpError 404 for what cannot be one, as for an id that nothing has */
export function requireId(param: string, noun: string): number {
  const id = parseId(param);
  if (id === null) throw notFound(noun);
  return id;
}

/** The lower-case form of a UUID, or null. PostgreSQL itself would accept braces and missing hyphens. */
export function parseUuid(value: unknown): string | null {
  return isUuid(value) ? value.toLowerCase() : null;
}
