import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const INTERVAL_MS = 1_000;

/**
 * Notes requests that failed on our side. They come in floods, thousands a second while the database is away, so of
 * each second only the first is described and the next line says how many there were since.
 */
export function createFailureLog(log: Logger): (error: Error, request: FastifyRequest) => void {
  let describedAt = Number.NEGATIVE_INFINITY;
  let others = 0;

  return (err, { method, routeOptions }) => {
    const now = performance.now();
    if (now - describedAt < INTERVAL_MS) {
      others++;
      return;
    }
    log.error({ err, method, route: routeOptions.url, othersBefore: others }, 'a request failed');
    describedAt = now;
    others = 0;
  };
}
