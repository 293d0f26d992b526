import type { Readable } from 'node:stream';
import type pg from 'pg';

const LOOK_MS = 1_000;

/**
 * Ends a file that takes its connection from the pool for longer than `turnMs` when others wait for one: whoever reads it slowly could keep
 * them waiting for ever.
 */
export function giveWay(file: Readable, pool: pg.Pool, turnMs: number): void {
  const end = Date.now() + turnMs;
  const watch = setInterval(() => {
    if (Date.now() > end && pool.waitingCount > 0) file.destroy();
  }, LOOK_MS);
  file.once('close', () => clearInterval(watch));
}
