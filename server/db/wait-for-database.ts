import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { passesByItself } from './constraint-errors.ts';

/** A database that starts together with the service is reachable after this time at the latest. */
const PATIENCE_MS = 15_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** SQLSTATE of a server that is running but still starting up or recovering. */
const STARTING_UP = '57P03';

/**
 * Resolves when the database answers. A recovery is waited for as long as it takes.
 * @param tell hears why the start takes long
 * @throws the error of the last try, after 15 s without an answer, or at once when waiting cannot help
 */
export async function waitForDatabase(pool: pg.Pool, tell: (line: string) => void): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const error = await pool.query('select').then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    const isStarting = (error as { code?: string }).code === STARTING_UP;
    if (!passesByItself(error) || (!isStarting && performance.now() > deadline)) throw error;
    if (pause === FIRST_PAUSE_MS) tell('The database does not answer yet; waiting for it …');
    await sleep(pause);
  }
}
