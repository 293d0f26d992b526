import { parseDate } from './dates.ts';

/** `5/1/2024`, `1.5.24 13:45`, `2024/05/01 1:45:12 PM GMT+2`: numbers in some order, optionally a time and an offset. */
const WRITTEN =
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(?:Z|UTC|GMT)?([+-]\d{1,2}(?::?\d{2})?)?| ?(Z|UTC|GMT))?)?$/i;
const YEAR_FIRST = /^\s*\d{4}/;
/** The latest year that two digits can mean: 29 is 2029 and 30 is 1930, as in spreadsheets. */
const LATEST_YEAR = 2029;

/**
 * Turns a date as other products and spreadsheets write it into ISO 8601: a day, or a day and time, with an offset if given.
 * @param dayFirst how `5/1/2024` is read, unless a number beyond 12, dots or a leading year decide
 * @param latestYear the latest that two digits can mean
 * @returns null if it is no such date; ISO 8601 stays unchanged
 */
export function isoDate(written: string, dayFirst: boolean, latestYear = LATEST_YEAR): string | null {
  const text = plain(written);
  if (parseDate(text)) return text;
  const parts = WRITTEN.exec(text);
  if (!parts) return null;
  const [, first = '', sign, second = '', third = ''] = parts;
  const day = YEAR_FIRST.test(first)
    ? [first, second, third]
    : inOrder(
        fullYear(third, latestYear),
        first,
        second,
        order(first, second, sign) ?? (dayFirst ? 'day' : 'month'),
      );
  const iso = day.map((part) => part.padStart(2, '0')).join('-') + timeOf(parts);
  return parseDate(iso) ? iso : null;
}

/**
 * What a date tells about the order of day and month: 'either' if only its writer knows; null if the order is certain or does not
 * matter.
 */
export function dateOrder(written: string): 'day' | 'month' | 'either' | null {
  // A shortcut: most dates are like this, and there may be many.
  if (YEAR_FIRST.test(written)) return null;
  const parts = WRITTEN.exec(plain(written));
  if (!parts) return null;
  const [, first = '', sign, second = ''] = parts;
  if (first === second) return null;
  return order(first, second, sign) ?? 'either';
}

/** Whether the day or the month comes first; null if either may. */
function order(first: string, second: string, sign: string | undefined): 'day' | 'month' | null {
  if (sign === '.' || Number(first) > 12) return 'day';
  return Number(second) > 12 ? 'month' : null;
}

function inOrder(year: string, first: string, second: string, order: 'day' | 'month'): string[] {
  return order === 'day' ? [year, second, first] : [year, first, second];
}

/** The latest year with this ending, up to `latest`. */
function fullYear(year: string, latest: number): string {
  if (year.length !== 2) return year;
  const ending = latest % 100;
  return String(latest - ending + Number(year) - (Number(year) > ending ? 100 : 0));
}

function timeOf(parts: RegExpExecArray): string {
  const [hour, minute, second = '00', half, offset, zone] = parts.slice(5);
  if (hour === undefined) return '';
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const isUtc = zone !== undefined || (offset === undefined && /(?:Z|UTC|GMT)$/i.test(parts[0]));
  const time = `T${String(hours).padStart(2, '0')}:${minute}:${second}`;
  return time + (isUtc ? 'Z' : offset === undefined ? '' : fullOffset(offset));
}

/** `+2` and `+0200` become `+02:00`. */
function fullOffset(offset: string): string {
  const digits = offset.slice(1).replace(':', '');
  const [hours, minutes] = digits.length <= 2 ? [digits, '00'] : [digits.slice(0, -2), digits.slice(-2)];
  return `${offset[0]}${hours.padStart(2, '0')}:${minutes}`;
}

/** Some programs put narrow spaces before AM and PM. */
function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
