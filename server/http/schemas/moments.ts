import Type from 'typebox';
import { parseDate } from '../../../fields/as-text/dates.ts';
import { invalid } from '../errors.ts';

/** The end of a time with an offset without colon, as PHP and Python (`+0200`) or PostgreSQL (`+02`) write it; RFC 3339 has `+02:00`. */
const SHORT_OFFSET = /(:[\d.]+[+-]\d{2})(\d{2})?$/;

/** The schema of a text that `momentOf` reads. @param description what the moment is for */
export function momentSchema(description = '') {
  const form = 'A day, or a day and time, in ISO 8601; without an offset it is UTC.';
  return Type.String({
    maxLength: 64,
    description: `${description} ${form}`.trim(),
    examples: ['2026-12-31T23:59:59Z'],
  });
}

/** Reads a moment; a day without a time stands for its beginning (UTC). @throws HttpError 422 on `key` */
export function momentOf(key: string, text: string): Date {
  const moment = readMoment(text);
  if (!moment) throw invalid({ [key]: [`The ${key} is not a valid date.`] });
  return moment;
}

/**
 * Reads a moment in the years 1 to 9999; null for any other text, also for days that do not exist (`2027-02-30`). `t` and `z` may be
 * in lower case (RFC 3339, 5.6).
 */
export function readMoment(text: string): Date | null {
  const written = text.replace(SHORT_OFFSET, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const parsed = parseDate(written.toUpperCase());
  if (!parsed) return null;
  const moment = new Date(parsed.time);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : null;
}
