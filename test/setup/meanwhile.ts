import type { Pool, PoolClient } from 'pg';
import { until } from './until.ts';

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

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
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from forms where id = $1 for update', [formId]);
    const call = begin();
    await until(async () => (await pool.query(WAITING)).rowCount === 1, { what: 'the call' });
    await change(client);
    await client.query('commit');
    return await call;
  } finally {
    client.release(true);
  }
}
