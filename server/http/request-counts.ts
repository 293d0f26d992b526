import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** Addresses or tokens remembered per limit; the one seen least recently is forgotten first. */
const REMEMBERED_KEYS = 20_000;

/**
 * Counts requests by key in windows of time, measured by a monotonic clock. The library's own store uses the system's clock: set back
 * by a day, a window would last a day longer.
 */
export class RequestCounts implements FastifyRateLimitStore {
  /** Sorted by when they were last seen, the oldest first. */
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
