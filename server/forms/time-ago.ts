const SECOND = 1_000; // milliseconds
const UNITS = [
  ['year', 365 * 86_400 * SECOND],
  ['month', 30 * 86_400 * SECOND],
  ['week', 7 * 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
] as const;

const english = new Intl.RelativeTimeFormat('en');

/** Such as `2 hours ago`, in the largest unit that fits. */
export function timeAgo(then: Date, now: Date): string {
  const elapsed = Math.max(0, now.getTime() - then.getTime());
  const [unit, length] = UNITS.find(([, length]) => elapsed >= length) ?? (['second', SECOND] as const);
  return english.format(-Math.floor(elapsed / length), unit);
}
