import Type from 'typebox';
import { parseDate } from '../../fields/dates.ts';
import { invalid } from './errors.ts';

/** The end of a time whose offset is one of ISO 8601 alone: RFC 3339 wants `+02:00`, PHP and Python write `+0200`, PostgreSQL `+02`. */
const SHORT_OFFSET = /(:[\d.]+[+-]\d{2})(\d{2})?$/;

/** A moment as `momentOf` takes it; `description` says what it is for. */
export function momentSchema(description = '') {
  const form = 'A day, or a day and time, in ISO 8601; without an offset it is UTC.';
  return Type.String({
    maxLength: 64,
    description: `${description} ${form}`.trim(),
    examples: ['2026-12-31T23:59:59Z'],
  });
}

/** A day alone is its beginning (UTC). @throws HttpError 422 on `key` */
export function momentOf(key: string, text: string): Date {
  const moment = readMoment(text);
  if (!moment) throw invalid({ [key]: [`The ${key} is not a valid date.`] });
  return moment;
}

/**
 * A moment in the years 1 to 9999, or null for a text that names none: `2027-02-30` does not become March 2. Letters may
 * be small (RFC 3339, 5.6).
 */
export function readMoment(text: string): Date | null {
  const written = text.replace(SHORT_OFFSET, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const parsed = parseDate(written.toUpperCase());
  if (!parsed) return null;
  const moment = new Date(parsed.time);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : null;
}
