import { randomUUID } from 'node:crypto';
import { type Connection, openPool, ROW_BY_ROW } from '../db/database.ts';
import type { NewSubmission } from '../submissions/intake/batch.ts';
import { createIntake } from '../submissions/intake/intake.ts';
import { latencyOf } from './statistics.ts';
import type { LoadResult } from './submit-load.ts';

interface InsertLoad {
  connection: Connection;
  /** Stored in turn, each time under a new public id. */
  submissions: NewSubmission[];
  /** Submissions that wait at a time. */
  concurrency: number;
  seconds: number;
}

const NOBODY = { reserve: () => false, take() {}, drop() {}, wake() {} };

/** The floor of the intake: stores the same rows by the same statement, without requests, checks and responses. */
export async function insertLoad(load: InsertLoad): Promise<LoadResult> {
  const pool = openPool(load.connection, () => {}, { max: 2, settings: ROW_BY_ROW });
  const intake = createIntake(pool, () => {}, NOBODY);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  let sent = 0;

  async function keepStoring(): Promise<void> {
    for (let addedAt = performance.now(); addedAt < endsAt; ) {
      const sample = load.submissions[sent++ % load.submissions.length];
      if (!sample) throw new Error('There is nothing to store.');
      const { kind } = await intake.add({ ...sample, publicId: randomUUID() });
      if (kind !== 'stored') throw new Error(`A submission was not stored: ${kind}.`);
      const storedAt = performance.now();
      latencies.push(storedAt - addedAt);
      addedAt = storedAt;
    }
  }

  try {
    await Promise.all(Array.from({ length: load.concurrency }, keepStoring));
    const seconds = (performance.now() - startedAt) / 1000;
    return { acknowledged: latencies.length, seconds, latency: latencyOf(latencies) };
  } finally {
    await pool.end();
  }
}
