const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each of the 12 attempts, in milliseconds, without jitter: 75 h 42 min in all. */
export const RETRY_STEPS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Each wait is lengthened by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** A receiver's Retry-After is honoured up to here. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/** The three date forms of RFC 9110 section 5.6.7. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/**
 * Milliseconds to wait after `attemptsMade` attempts, or null when none is left. `retryAfter` is the receiver's header:
 * it can lengthen the wait, up to 6 h, and never shortens it. `random` gives a number from 0 to 1.
 */
export function retryDelayMs(
  attemptsMade: number,
  retryAfter: string | null | undefined,
  random: () => number,
  now: Date,
): number | null {
  const step = RETRY_STEPS_MS[attemptsMade];
  if (step === undefined) return null;
  const wait = Math.ceil(step * (1 + JITTER * random()));
  return Math.max(wait, Math.min(readRetryAfterMs(retryAfter ?? '', now), MAX_RETRY_AFTER_MS));
}

/** Seconds or a date (RFC 9110 section 10.2.3) as milliseconds from now; 0 for anything else. */
function readRetryAfterMs(header: string, now: Date): number {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  if (!HTTP_DATE.test(text)) return 0;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? 0 : date - now.getTime();
}
