import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { JobPayloads } from './payloads.ts';

interface JobOptions {
  /** A second job with the same key replaces the first until that has started; a running job does not hold it back. */
  key?: string;
  /** Earliest time to run it, from now by the database's clock, which a process need not share. */
  delaySeconds?: number;
  /** Attempts in all, with growing pauses. */
  maxAttempts?: number;
}

/** Adds a background job, which exists only if the transaction commits. */
export async function enqueue<Name extends keyof JobPayloads>(
  db: Db,
  name: Name,
  payload: JobPayloads[Name],
  { key, delaySeconds = 0, maxAttempts = 25 }: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json,
    run_at => now() + make_interval(secs => ${delaySeconds}::float8), max_attempts => ${maxAttempts}::int, job_key => ${key ?? null}::text)`.execute(
    db,
  );
}
