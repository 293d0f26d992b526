/** A whole number is counted: thousandths of the natural logarithm of milliseconds. */
const PARTS = 1_000;
/** What took less, as a field that a browser fills in at once, counts as this: among logarithms an instant would weigh as much as hours do. */
const LEAST_MS = 1_000;

/** What a time of so many milliseconds adds to the sum of a field. */
export function logTime(ms: number): number {
  return Math.round(Math.log(Math.max(ms, LEAST_MS)) * PARTS);
}

/**
 * Seconds, to a tenth; null when no visit told. The geometric mean: times differ by factors rather than by seconds, and one who went for a coffee
 * would move the sum of a hundred others.
 * @param sum of what `logTime` made of the times of these visits
 */
export function typicalTime(visits: number | undefined, sum: number | undefined): number | null {
  if (visits === undefined || sum === undefined) return null;
  return Math.round(Math.exp(sum / visits / PARTS) / 100) / 10;
}
