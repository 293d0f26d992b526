import { isDay } from '../lib/days.ts';

/** A range of days in the address. Days are days in UTC, `YYYY-MM-DD`. */
export interface RangeSearch {
  /** The last so many days, including today; without it as many as the screen usually shows. */
  days?: number | undefined;
  /** A custom range; both days or neither. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The ranges that end today, in days. */
export const PRESETS: readonly (readonly [days: number, name: string])[] = [
  [1, 'Today'],
  [7, 'Last 7 days'],
  [30, 'Last 30 days'],
  [90, 'Last 90 days'],
  [365, 'Last 12 months'],
];
const DAY_MS = 86_400_000;

/** @param usual days shown by default */
export function readRangeSearch({ days, from, to }: Record<string, unknown>, usual: number): RangeSearch {
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  const number = Number(days);
  return number !== usual && PRESETS.some(([preset]) => preset === number) ? { days: number } : {};
}

/** The first and last day of the range. */
export function rangeOf(
  { days, from, to }: RangeSearch,
  usual: number,
  now: Date,
): { from: string; to: string } {
  if (from && to) return { from, to };
  const first = new Date(now.getTime() - ((days ?? usual) - 1) * DAY_MS);
  return { from: first.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
}

/** How many days a range has. */
export function lengthOf({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}
