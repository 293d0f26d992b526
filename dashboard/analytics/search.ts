import { isDay } from '../lib/days.ts';

/** Analytics settings in the address. Days are days in UTC, `YYYY-MM-DD`. */
export interface AnalyticsSearch {
  /** The last so many days, including today; 30 by default. */
  days?: 7 | 90 | 365 | undefined;
  /** A custom range; both days or neither. */
  from?: string | undefined;
  to?: string | undefined;
  partials?: true | undefined;
}

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

export function readAnalyticsSearch({ days, from, to, partials }: Record<string, unknown>): AnalyticsSearch {
  const number = Number(days);
  const isRange = isDay(from) && isDay(to) && from <= to;
  return {
    ...(isRange && { from, to }),
    ...(!isRange && (number === 7 || number === 90 || number === 365) && { days: number }),
    ...((partials === true || partials === 'true') && { partials: true as const }),
  };
}

/** The first and last day of the range. */
export function rangeOf(
  { days = undefined, from, to }: AnalyticsSearch,
  now: Date,
): { from: string; to: string } {
  if (from && to) return { from, to };
  const first = new Date(now.getTime() - ((days ?? USUAL_DAYS) - 1) * DAY_MS);
  return { from: first.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
}
