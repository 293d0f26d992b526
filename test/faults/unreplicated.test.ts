import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseProblem } from '../../server/db/constraint-errors.ts';
import { openDatabase } from '../../server/db/database.ts';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** A primary whose synchronous standby is gone, so commits wait. */
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.admin('create table written (n int)');
  await cluster.admin('grant all on written to app');
  await cluster.admin(`alter system set synchronous_standby_names = 'nobody'`);
  await cluster.admin('select pg_reload_conf()');
});
afterAll(() => cluster?.remove());

/** Only clients that wait for the standby: the database's own maintenance waits too. */
const WAITING = `from pg_stat_activity where wait_event = 'SyncRep' and backend_type = 'client backend'`;

test.each(['pg_cancel_backend', 'pg_terminate_backend'])(
  'a commit whose wait for the standby is ended by %s is not taken for one',
  async (end) => {
    const { db, pool } = openDatabase({ connectionString: cluster.url }, () => {}, 2);
    let outcome: Promise<string | null> | undefined;
    const write = () =>
      pool.query('insert into written values (1)').then(
        () => {
          // This commit came before all of the database knew the setting.
          outcome = undefined;
          return 'acknowledged';
        },
        (error) => databaseProblem(error),
      );
    await until(
      async () => {
        outcome ??= write();
        return (await cluster.admin(`select pid ${WAITING}`)).length === 1;
      },
      { what: 'a waiting commit' },
    );
    await cluster.admin(`select ${end}(pid) ${WAITING}`);
    expect(await outcome).toBe('unavailable');
    // The next statement gets a new connection.
    expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    await db.destroy();
  },
);
