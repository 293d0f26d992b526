import { unavailable } from './http/errors.ts';

/**
 * Runs one piece of work when its turn comes.
 * @param leaving gives up the place in the line; work that has begun must listen to it itself
 * @throws HttpError 503 when too many wait; the reason of `leaving`
 */
export type Limiter = <Result>(work: () => Promise<Result>, leaving?: AbortSignal) => Promise<Result>;

/**
 * Keeps costly work from taking up a whole process: at most `atOnce` pieces run and at most `waiting` wait, in order of
 * arrival. Further ones are refused rather than kept waiting.
 */
export function limitConcurrency(atOnce: number, waiting: number): Limiter {
  let running = 0;
  const queue: (() => void)[] = [];

  function turn(leaving: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(start), 1);
        reject(leaving?.reason);
      };
      const start = () => {
        leaving?.removeEventListener('abort', leave);
        resolve();
      };
      leaving?.addEventListener('abort', leave, { once: true });
      queue.push(start);
    });
  }

  return async (work, leaving) => {
    leaving?.throwIfAborted();
    if (running < atOnce) running++;
    else {
      if (queue.length >= waiting) throw unavailable();
      await turn(leaving);
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

/** Like `limitConcurrency`, separately for each key, such as a network or an account. */
export function limitConcurrencyPerKey(atOnce: number, waiting: number) {
  const limits = new Map<string, { limit: Limiter; users: number }>();

  return async <Result>(key: string, work: () => Promise<Result>, leaving?: AbortSignal): Promise<Result> => {
    const own = limits.get(key) ?? { limit: limitConcurrency(atOnce, waiting), users: 0 };
    limits.set(key, own);
    own.users += 1;
    try {
      return await own.limit(work, leaving);
    } finally {
      own.users -= 1;
      if (own.users === 0) limits.delete(key);
    }
  };
}
