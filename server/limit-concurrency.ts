import { unavailable } from './http/errors.ts';

/** Runs one piece of work when its turn comes. @throws HttpError 503 when too many wait already */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Keeps costly work from taking a whole process: at most `atOnce` pieces run, at most `waiting` wait in order of
 * arrival, and whoever comes after them is refused instead of waiting for long.
 */
export function limitConcurrency(atOnce: number, waiting: number): Limiter {
  let running = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (running < atOnce) running++;
    else {
      if (queue.length >= waiting) throw unavailable();
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
