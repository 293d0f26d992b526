import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { ArrayWriter } from '../db/array-writer.ts';
import { databaseProblem } from '../db/constraint-errors.ts';
import { type AttemptRecord, recordAttempts, type Surrender } from './attempt-queries.ts';

interface AttemptLog {
  /** Records an attempt soon. Never throws. @param startedAt start of the attempt, by `performance.now()` */
  add(attempt: Omit<AttemptRecord, 'ageMs'>, startedAt: number): void;
  /** Waits until all are recorded, five seconds at most. */
  drain(): Promise<void>;
}

const MAX_BATCH = 500;
/** Nobody waits for a record, so attempts that end within this time share a statement. */
const GATHER_MS = 20;
/** Between two tries while the database does not answer. */
const RETRY_PAUSE_MS = 1000;
/** When stopping. Attempts that cannot be recorded by then are made again by another process after their leases. */
const DRAIN_LIMIT_MS = 5000;

/**
 * Records attempts in batches, and keeps them while the database does not answer. `onSurrender` is called for integrations that
 * should be made inactive.
 * @param pool with `OUTBOX_SETTINGS`
 */
export function createAttemptLog(
  pool: pg.Pool,
  log: Logger,
  onSurrender: (surrender: Surrender) => Promise<void>,
): AttemptLog {
  const waiting: { attempt: Omit<AttemptRecord, 'ageMs'>; startedAt: number }[] = [];
  const writer = new ArrayWriter();
  let flushing: Promise<void> | null = null;
  let drainUntil = Number.POSITIVE_INFINITY;

  async function flushAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < MAX_BATCH && drainUntil === Number.POSITIVE_INFINITY) await delay(GATHER_MS);
      const batch = waiting.slice(0, MAX_BATCH);
      if (await isRecorded(batch)) waiting.splice(0, batch.length);
      else if (performance.now() > drainUntil) break;
      else await delay(RETRY_PAUSE_MS);
    }
    flushing = null;
  }

  async function isRecorded(batch: typeof waiting): Promise<boolean> {
    try {
      await record(batch);
    } catch (error) {
      if (databaseProblem(error) === 'unavailable') return false;
      await recordOneByOne(batch);
    }
    return true;
  }

  /**
   * An attempt that the database refuses must not hold up the others. It is recorded without the texts that came from outside: if it
   * were not recorded at all, its delivery would be sent again after every lease, for ever.
   */
  async function recordOneByOne(batch: typeof waiting): Promise<void> {
    for (const one of batch) {
      const wordless = { ...one, attempt: { ...one.attempt, responseExcerpt: null, failureDetail: null } };
      await record([one])
        .catch(() => record([wordless]))
        .catch((error: unknown) => {
          log.error(
            { err: error, deliveryId: one.attempt.deliveryId },
            'a delivery attempt could not be recorded',
          );
        });
    }
  }

  async function record(batch: typeof waiting): Promise<void> {
    const now = performance.now();
    const attempts = batch.map(({ attempt, startedAt }) => ({ ...attempt, ageMs: now - startedAt }));
    for (const surrender of await recordAttempts(pool, attempts, writer)) {
      // If this fails, the next failed attempt leads to it again.
      await onSurrender(surrender).catch((error: unknown) => {
        log.error({ err: error, ...surrender }, 'an integration could not be made inactive');
      });
    }
  }

  return {
    add(attempt, startedAt) {
      waiting.push({ attempt, startedAt });
      flushing ??= flushAll();
    },
    async drain() {
      drainUntil = performance.now() + DRAIN_LIMIT_MS;
      while (flushing !== null) await flushing;
    },
  };
}
