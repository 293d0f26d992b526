const DAY = 86_400_000; // milliseconds
const MINUTE = 60_000; // milliseconds
const MAX_OFFSET_HOURS = 14;

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Matches every text that `parseDate` reads, and some of days and times that do not exist. */
export function datePattern(): string {
  return ISO.source;
}

export interface ParsedDate {
  /** Days since 1970-01-01 UTC. */
  day: number;
  /** Milliseconds since 1970-01-01 UTC; a time without an offset is read as UTC. */
  time: number;
  hasTime: boolean;
}

/**
 * Reads `YYYY-MM-DD`, optionally with `T` or a space and `HH:MM[:SS[.fff]][Z|±HH:MM]` (the ISO 8601 profile of RFC 3339, seconds
 * and offset optional). Null for anything else, and for days and times that do not exist.
 */
export function parseDate(text: string): ParsedDate | null {
  const parts = ISO.exec(text);
  if (parts === null) return null;
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year === 0 || month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null;
  const [hour, minute, second] = [Number(parts[4] ?? 0), Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(parts[8]);
  if (offset === null) return null;
  const milliseconds = Number(`0.${parts[7] ?? '0'}`) * 1000;
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999
  const midnight = new Date(0).setUTCFullYear(year, month - 1, date);
  const time = midnight + (hour * 60 + minute - offset) * MINUTE + second * 1000;
  // added after finding the day: rounding could carry the last billionth of a second into the next day
  return { day: Math.floor(time / DAY), time: time + milliseconds, hasTime: parts[4] !== undefined };
}

/** Negative, zero or positive; compares instants if both have a time, otherwise days. */
export function compareDates(left: ParsedDate, right: ParsedDate): number {
  return left.hasTime && right.hasTime ? left.time - right.time : left.day - right.day;
}

/** The UTC day of a moment, in days since 1970-01-01. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY);
}

/** The day a number of calendar months away, kept inside the month: one month before March 31 is February 28 or 29. */
export function addMonths(day: number, months: number): number {
  const from = new Date(day * DAY);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const date = Math.min(from.getUTCDate(), daysInMonth(first.getUTCFullYear(), first.getUTCMonth() + 1));
  return dayOf(first) + date - 1;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Minutes east of UTC, or null for an offset that no place has. */
function offsetMinutes(text: string | undefined): number | null {
  if (text === undefined || text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4));
  if (minutes > 59 || hours * 60 + minutes > MAX_OFFSET_HOURS * 60) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
