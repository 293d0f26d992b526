import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** Addresses or tokens remembered per limit; the least recently seen are forgotten first. */
const REMEMBERED_KEYS = 20_000;

/**
 * Counts requests by key, in windows of the time that passes. By the clock, as the library's own store does, a window would not
 * end for a day when the clock is set back by one.
 */
export class RequestCounts implements FastifyRateLimitStore {
  /** In the order in which they were seen last. */
  readonly #counts = new Map<string, { current: number; beganAt: number }>();

  incr(
    key: string,
    tell: (error: Error | null, result?: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const now = performance.now();
    const known = this.#counts.get(key);
    const count = known && now - known.beganAt < windowMs ? known : { current: 0, beganAt: now };
    count.current += 1;
    this.#counts.delete(key);
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > REMEMBERED_KEYS && oldest !== undefined) this.#counts.delete(oldest);
    tell(null, { current: count.current, ttl: windowMs - (now - count.beganAt) });
  }

  child(): FastifyRateLimitStore {
    return new RequestCounts();
  }
}
