/** Counters hold whole numbers: thousandths of the natural logarithm of milliseconds. */
const PARTS = 1_000;
/**
 * Shorter times, as of fields that browsers fill in, count as this: among logarithms an instant would weigh as much as
 * hours.
 */
const LEAST_MS = 1_000;

/** The amount that a time adds to the sum of a field. */
export function logTime(ms: number): number {
  return Math.round(Math.log(Math.max(ms, LEAST_MS)) * PARTS);
}

/**
 * Seconds, to a tenth; null without data. It is the geometric mean: times differ by factors, and one coffee break would
 * dominate the sum of a hundred others.
 * @param sum of `logTime` over the times of these visits
 */
export function typicalTime(visits: number | undefined, sum: number | undefined): number | null {
  if (visits === undefined || sum === undefined) return null;
  return Math.round(Math.exp(sum / visits / PARTS) / 100) / 10;
}
