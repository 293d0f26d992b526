import { unavailable } from './http/errors.ts';

/**
 * Runs one piece of work when its turn comes.
 * @param leaving gives up the place in the line; work that has begun must listen to it itself
 * @throws HttpError 503 when too many wait; the reason of `leaving`
 */
export type Limiter = <Result>(work: () => Promise<Result>, leaving?: AbortSignal) => Promise<Result>;

interface Waiting {
  key: string;
  start(): void;
  refuse(reason: unknown): void;
}

/**
 * Keeps costly work from taking up a whole process: at most `atOnce` pieces run and at most `waiting` wait, in order of
 * arrival. Further ones are refused rather than kept waiting.
 */
export function limitConcurrency(atOnce: number, waiting: number): Limiter {
  const fairly = limitConcurrencyFairly(atOnce, waiting);
  return (work, leaving) => fairly('', work, leaving);
}

/**
 * Like `limitConcurrency`, in one line for all keys, such as networks. When it is full, the newest of the key with the most in line
 * gives way to a key that has fewer, so that no key fills it.
 */
export function limitConcurrencyFairly(atOnce: number, waiting: number) {
  let running = 0;
  const queue: Waiting[] = [];

  function turn(key: string, leaving: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(one), 1);
        reject(leaving?.reason);
      };
      const ended = (end: () => void) => {
        leaving?.removeEventListener('abort', leave);
        end();
      };
      const one: Waiting = {
        key,
        start: () => ended(resolve),
        refuse: (reason) => ended(() => reject(reason)),
      };
      leaving?.addEventListener('abort', leave, { once: true });
      queue.push(one);
    });
  }

  function makeRoom(key: string): void {
    const most = keyToGiveWay(queue, key);
    if (most === null) throw unavailable();
    const newest = queue.findLastIndex((one) => one.key === most);
    queue.splice(newest, 1)[0]?.refuse(unavailable());
  }

  return async <Result>(key: string, work: () => Promise<Result>, leaving?: AbortSignal): Promise<Result> => {
    leaving?.throwIfAborted();
    if (running < atOnce) running++;
    else {
      if (queue.length >= waiting) makeRoom(key);
      await turn(key, leaving);
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next.start();
      else running--;
    }
  };
}

/** The key that most have, from which one may give way to `key`; null when `key` would then have more than that one. */
export function keyToGiveWay(all: Iterable<{ key: string }>, key: string): string | null {
  const counts = new Map<string, number>([[key, 0]]);
  for (const one of all) counts.set(one.key, (counts.get(one.key) ?? 0) + 1);
  const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  return count > (counts.get(key) ?? 0) + 1 ? most : null;
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
