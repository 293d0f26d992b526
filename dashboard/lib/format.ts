import { locales } from './locales.ts';

/** Dates and numbers are written as in the browser's languages. */

const numbers = new Intl.NumberFormat(locales);
/** Small measurements get the more precise of the two limits. */
const figures = new Intl.NumberFormat(locales, {
  maximumFractionDigits: 3,
  maximumSignificantDigits: 6,
  roundingPriority: 'morePrecision',
});
const changes = new Intl.NumberFormat(locales, { signDisplay: 'exceptZero' });
const tinyFigures = new Intl.NumberFormat(locales, { notation: 'scientific', maximumSignificantDigits: 6 });
/** Smaller numbers would have too many zeros written out. */
const TINY = 1e-6;
const days = new Intl.DateTimeFormat(locales, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' });
const times = new Intl.DateTimeFormat(locales, { timeStyle: 'short' });
const daysOfYear = new Intl.DateTimeFormat(locales, { month: 'short', day: 'numeric' });
const momentsOfYear = new Intl.DateTimeFormat(locales, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const instants = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'medium' });
const distances = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** `+3`, `−1`, `0`: with a minus sign, as a hyphen is shorter than a plus. */
export function formatChange(value: number): string {
  return changes.format(value).replace('-', '−');
}

/** Formats an answered or computed number. */
export function formatFigure(value: number): string {
  const isTiny = value !== 0 && Math.abs(value) < TINY;
  return (isTiny ? tinyFigures : figures).format(value);
}

/** @param time ISO 8601 */
export function formatDay(time: string): string {
  return days.format(new Date(time));
}

export function formatMoment(time: string): string {
  return moments.format(new Date(time));
}

/** Where room is short: the time of today, the day of this year, otherwise the whole day. */
export function formatBriefly(time: string): string {
  const [at, now] = [new Date(time), new Date()];
  if (at.getFullYear() !== now.getFullYear()) return days.format(at);
  return (at.toDateString() === now.toDateString() ? times : daysOfYear).format(at);
}

/** Without the year if it is this one. */
export function formatMomentShortly(time: string): string {
  const at = new Date(time);
  return (at.getFullYear() === new Date().getFullYear() ? momentsOfYear : moments).format(at);
}

/** With seconds, to tell close events apart. */
export function formatInstant(time: string): string {
  return instants.format(new Date(time));
}

/** `3 hours ago`, `in 5 days`, `just now`. */
export function formatDistance(time: string): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1_000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? distances.format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
}

/** `in 40 seconds`, `in 15 minutes`: never less than the actual time. */
export function formatWait(seconds: number): string {
  return seconds < 60
    ? distances.format(seconds, 'second')
    : distances.format(Math.ceil(seconds / 60), 'minute');
}

/** `1 form`, `2 forms`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
