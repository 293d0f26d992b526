import { parseDate } from '../../fields/as-text/dates.ts';
import type { ErrorBag } from '../../fields/property.ts';
import { invalid } from '../http/errors.ts';

/** From the first to the last day, both included, as `YYYY-MM-DD` in UTC. */
export interface DayRange {
  from: string;
  to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days shown by default. */
const DEFAULT_DAYS = 30;
/** PostgreSQL writes earlier days differently. */
const FIRST_DAY = Date.parse('0001-01-01');
/** The longest range for one form: two years, one of them a leap year. */
const MAX_DAYS = 731;
/** The longest range for all forms of a workspace, which is read twice: for the days before it too. */
export const MAX_WORKSPACE_DAYS = 366;

/** The last 30 days by default. @param maxDays the longest range @throws HttpError 422 on `from` or `to` */
export function readRange(query: { from?: string; to?: string }, now: Date, maxDays = MAX_DAYS): DayRange {
  const errors: ErrorBag = {};
  const to = readDay(query.to, 'to', errors) ?? startOfDay(now);
  const from = readDay(query.from, 'from', errors) ?? Math.max(to - (DEFAULT_DAYS - 1) * DAY_MS, FIRST_DAY);
  if (from > to && !errors.from) errors.from = ['The from must be a date before or equal to to.'];
  if ((to - from) / DAY_MS >= maxDays) errors.from = [`The range may not be longer than ${maxDays} days.`];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { from: textOf(from), to: textOf(to) };
}

/** Every day of the range, in order. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) days.push(textOf(day));
  return days;
}

/** How many days the range has. */
export function lengthOf({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** So many days, of which `to` is the last. */
export function daysUntil(to: string, count: number): DayRange {
  return { from: textOf(Date.parse(to) - (count - 1) * DAY_MS), to };
}

function readDay(text: string | undefined, key: 'from' | 'to', errors: ErrorBag): number | null {
  if (text === undefined) return null;
  const parsed = DAY.test(text) && !text.startsWith('0000') ? parseDate(text) : null;
  if (!parsed) errors[key] = [`The ${key} is not a valid date.`];
  return parsed?.time ?? null;
}

function startOfDay(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) * DAY_MS;
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
