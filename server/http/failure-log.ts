import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { HttpError } from './errors.ts';

const INTERVAL_MS = 1_000;

type Note = (error: Error, request: FastifyRequest) => void;

/** Notes requests that were answered 5xx: what failed on our side, and what was refused on purpose for a moment. */
export function createFailureLog(log: Logger): Note {
  const noteFailure = firstOfEachSecond((err, about) => log.error({ err, ...about }, 'a request failed'));
  const noteRefusal = firstOfEachSecond(({ message }, about) =>
    log.info({ reason: message, ...about }, 'a request was told to come again'),
  );
  return (error, request) => (error instanceof HttpError ? noteRefusal : noteFailure)(error, request);
}

/**
 * They come in floods, thousands a second while the database is away, so of each second only the first is described and
 * the next line says how many there were since.
 */
function firstOfEachSecond(describe: (error: Error, about: Record<string, unknown>) => void): Note {
  let describedAt = Number.NEGATIVE_INFINITY;
  let others = 0;

  return (error, { method, routeOptions }) => {
    const now = performance.now();
    if (now - describedAt < INTERVAL_MS) {
      others++;
      return;
    }
    describe(error, { method, route: routeOptions.url, othersBefore: others });
    describedAt = now;
    others = 0;
  };
}
