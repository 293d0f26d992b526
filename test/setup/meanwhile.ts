import type { Pool, PoolClient } from 'pg';
import { until } from './until.ts';

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

type Calls<Results extends unknown[]> = { [Index in keyof Results]: () => Promise<Results[Index]> };

/**
 * Takes locks, begins one call after the other, each once the one before waits for a lock or is done, makes the change, and lets those
 * that wait go on.
 */
export async function inLine<Results extends unknown[]>(
  pool: Pool,
  lock: (client: PoolClient) => Promise<unknown>,
  calls: Calls<Results>,
  change: (client: PoolClient) => Promise<unknown> = async () => {},
): Promise<Results> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await lock(client);
    const begun: Promise<unknown>[] = [];
    let done = 0;
    const isThere = async () => done + ((await pool.query(WAITING)).rowCount ?? 0) === begun.length;
    for (const call of calls) {
      begun.push(call().finally(() => done++));
      await until(isThere, { what: 'the call' });
    }
    await change(client);
    await client.query('commit');
    return (await Promise.all(begun)) as Results;
  } finally {
    client.release(true);
  }
}

/**
 * Locks the row of a form, begins a call, makes the change once the call waits for the lock, and then lets it go on: by then
 * the call has checked the form as it was before the change.
 */
export async function changedMeanwhile<T>(
  pool: Pool,
  formId: number,
  begin: () => Promise<T>,
  change: (client: PoolClient) => Promise<unknown>,
): Promise<T> {
  const [answer] = await inLine<[T]>(
    pool,
    (client) => client.query('select from forms where id = $1 for update', [formId]),
    [begin],
    change,
  );
  return answer;
}
