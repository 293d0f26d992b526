import { parseDate } from '../../fields/dates.ts';

/** A moment in the years 1 to 9999, or null for a text that names none: `2027-02-30` does not become March 2. */
export function readMoment(text: string): Date | null {
  const parsed = parseDate(text);
  if (!parsed) return null;
  const moment = new Date(parsed.time);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : null;
}
