/** The parts of a date that a number format shows. */
export interface DateFormat {
  hasDay: boolean;
  hasTime: boolean;
  hasSeconds: boolean;
  /** Hours continue past 23, as in a duration. */
  isElapsed: boolean;
}

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. Before March 1900 they are one day off, because they have a February 29, 1900. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const FIRST_OF_MARCH_1900 = 61;
/** Days between the usual day 0 and that of workbooks from old Macs, which begin in 1904. */
const DAYS_TO_1904 = 1462;
/** December 31, 9999. */
const LAST_SERIAL = 2_958_465;

const DAY: DateFormat = { hasDay: true, hasTime: false, hasSeconds: false, isElapsed: false };
const TIME: DateFormat = { hasDay: false, hasTime: true, hasSeconds: true, isElapsed: false };
const MOMENT: DateFormat = { hasDay: true, hasTime: true, hasSeconds: false, isElapsed: false };
const ELAPSED: DateFormat = { hasDay: false, hasTime: true, hasSeconds: true, isElapsed: true };

/**
 * The parts of a date that a format shows (ECMA-376, 18.8.30 and 18.8.31); null if it shows numbers.
 * @param code of a format that the workbook defines
 */
export function dateFormatOf(id: number, code: string | undefined): DateFormat | null {
  if (code !== undefined) return formatOfCode(code);
  if (id === 22) return MOMENT;
  if (id === 46) return ELAPSED;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return TIME;
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return DAY;
  return null;
}

/** Letters in quotation marks, in brackets, or after `\`, `_` and `*` have no meaning; months and minutes share a letter. */
function formatOfCode(code: string): DateFormat | null {
  const [first = ''] = code.split(';');
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(first);
  const letters = first.replace(/"[^"]*"|[\\_*].|\[[^\]]*\]|am\/pm|a\/p|general/gi, '').toLowerCase();
  if (isElapsed) return ELAPSED;
  const hasTime = /[hs]/.test(letters);
  const hasDay = /[yd]/.test(letters) || (!hasTime && letters.includes('m'));
  return hasDay || hasTime ? { hasDay, hasTime, hasSeconds: letters.includes('s'), isElapsed } : null;
}

/**
 * The date that a number stands for, as its format shows it: `2024-05-01`, `2024-05-01T13:45`, `2024-05-01T13:45:00`, `13:45:00`.
 * Seconds that a format hides are kept, unless there are none.
 * @returns null if it is no date
 */
export function serialDate(
  serial: number,
  { hasDay, hasTime, hasSeconds, isElapsed }: DateFormat,
  startsIn1904: boolean,
): string | null {
  if (serial < 0 || serial > LAST_SERIAL) return null;
  const milliseconds = Math.round(serial * DAY_MS);
  if (isElapsed || !hasDay) return clock(isElapsed ? milliseconds : milliseconds % DAY_MS);
  const day = startsIn1904 ? serial + DAYS_TO_1904 : serial;
  if (day > LAST_SERIAL) return null;
  // Only a time, even if the format shows days.
  if (day < 1) return hasTime ? clock(milliseconds) : null;
  const daysMore = (startsIn1904 ? DAYS_TO_1904 : 0) + (day < FIRST_OF_MARCH_1900 ? 1 : 0);
  const iso = new Date(DAY_ZERO_MS + milliseconds + daysMore * DAY_MS).toISOString();
  if (!hasTime) return iso.slice(0, 10);
  return iso.replace(hasSeconds ? /(?:\.000)?Z$/ : /(?:(?::00)?\.000)?Z$/, '');
}

function clock(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return `${String(hours).padStart(2, '0')}${new Date(milliseconds).toISOString().slice(13, 19)}`;
}
