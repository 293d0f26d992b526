const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The moment when clocks in a zone show a time; the earlier one if there are two, as in autumn.
 * @param zone an IANA name
 * @param shown milliseconds, as if it were UTC
 */
export function timeIn(zone: string, shown: number): number {
  const before = shown - aheadOf(zone, shown - DAY_MS);
  const after = shown - aheadOf(zone, shown + DAY_MS);
  return before + aheadOf(zone, before) === shown ? before : after;
}

const DAY_MS = 86_400_000;

/** Milliseconds by which a zone is ahead of UTC at a moment. */
function aheadOf(zone: string, time: number): number {
  const whole = Math.floor(time / 1000) * 1000;
  const parts = formatOf(zone).formatToParts(whole);
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const [year, month, day] = [part('year'), part('month') - 1, part('day')];
  return Date.UTC(year, month, day, part('hour'), part('minute'), part('second')) - whole;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const [numeric, hourCycle] = ['numeric', 'h23'] as const;
  const day = { year: numeric, month: numeric, day: numeric };
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle };
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, calendar: 'gregory', ...day, ...time });
  formats.set(zone, format);
  return format;
}
