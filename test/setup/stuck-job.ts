import pg from 'pg';
import { until } from './until.ts';

/** Gives the service a job that never finishes; it ends only when the service does, or when the test frees it. */
export async function aStuckJob(connection: pg.ClientConfig): Promise<{ free(): Promise<void> }> {
  const client = new pg.Client(connection);
  // An embedded database ends its connections when it stops.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('lock table idempotency_keys in access exclusive mode');
  const other = new pg.Client(connection);
  await other.connect();
  await other.query(`select graphile_worker.add_job('purge_idempotency_keys')`);
  await until(
    async () => {
      const { rowCount } = await other.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from "idempotency_keys"%'`,
      );
      return rowCount;
    },
    { what: 'the job under way' },
  );
  await other.end();
  return { free: () => client.end().catch(() => {}) };
}
