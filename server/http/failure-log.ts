import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { HttpError } from './errors.ts';

const INTERVAL_MS = 1_000;

type Note = (error: Error, request: FastifyRequest) => void;

/** Logs requests that were answered 5xx: failures as errors, those deliberately refused for the moment as information. */
export function createFailureLog(log: Logger): Note {
  const noteFailure = firstOfEachSecond((err, about) => log.error({ err, ...about }, 'a request failed'));
  const noteRefusal = firstOfEachSecond(({ message }, about) =>
    log.info({ reason: message, ...about }, 'a request was told to come again'),
  );
  return (error, request) => (error instanceof HttpError ? noteRefusal : noteFailure)(error, request);
}

/**
 * While the database is away thousands of requests fail per second. So only the first of each second is logged, and the next line
 * says how many others there were.
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
