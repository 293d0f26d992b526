import type { Pool, PoolClient } from 'pg';
import { until } from './until.ts';

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

/**
 * Begins a call while the row of a form is locked, waits until it waits for that, and lets it go on after a change: what the
 * call was checked against has become another by then.
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
