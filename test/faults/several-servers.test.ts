import { once } from 'node:events';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databaseProblem } from '../../server/db/constraint-errors.ts';
import { openDatabase, openPool, type PoolOptions } from '../../server/db/database.ts';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** Two independent servers; tests decide which one accepts writes. */
let one: Cluster;
let other: Cluster;

beforeAll(async () => {
  [one, other] = await Promise.all([
    startCluster({ cluster_name: 'one' }),
    startCluster({ cluster_name: 'other' }),
  ]);
});
beforeEach(async () => {
  await Promise.all([take(one), refuse(other)]);
  // The result of a recent check, made in the test before, is used for a while.
  await until(
    async () => (await outcome(poolOf().query('create table if not exists written ()'))) === 'done',
  );
});
afterAll(async () => {
  await Promise.all([one?.remove(), other?.remove()]);
});

const take = (cluster: Cluster) => writable(cluster, true);
const refuse = (cluster: Cluster) => writable(cluster, false);

async function writable(cluster: Cluster, isWritable: boolean): Promise<void> {
  await cluster.admin(`alter system set default_transaction_read_only = ${isWritable ? 'off' : 'on'}`);
  await cluster.admin('select pg_reload_conf()');
  await until(
    async () => {
      const [row] = await cluster.admin(`select current_setting('transaction_read_only') as state`);
      return row.state === (isWritable ? 'off' : 'on');
    },
    { what: 'the new setting' },
  );
}

/** Names each server by its socket; both have the same user and database. */
function connectionString(): string {
  const hosts = [one, other].map(({ folder }) => encodeURIComponent(folder)).join(',');
  return `postgres://app@${hosts}/formstead?target_session_attrs=read-write`;
}

function poolOf(options: PoolOptions = {}): pg.Pool {
  return openPool({ connectionString: connectionString() }, () => {}, { max: 2, ...options });
}

/** The name of the server on which a statement ran. */
async function placeOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`select current_setting('cluster_name') as name`);
  return rows[0].name;
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => databaseProblem(error),
  );

test('the one that takes writes is used, and the other one as soon as it does', async () => {
  const pool = poolOf();
  const database = openDatabase({ connectionString: connectionString() }, () => {}, 2);
  const places = async () => [await placeOf(pool), await placeOf(database.pool)];
  expect(await places()).toEqual(['one', 'one']);
  await refuse(one);
  await take(other);
  const write = 'create table if not exists written ()';
  expect(await outcome(pool.query(write))).toBe('unavailable');
  await until(async () => (await outcome(pool.query(write))) === 'done', { what: 'a write' });
  // What one pool finds out serves the other as well: its connections to the old server were ended.
  await until(async () => (await outcome(placeOf(database.pool))) === 'done', { what: 'an answer' });
  expect(await places()).toEqual(['other', 'other']);
});

test('without one that takes writes there is no connection, and no longer than that', async () => {
  await refuse(one);
  const isRefused = async () => (await outcome(poolOf().query('select 1'))) === 'unavailable';
  await until(isRefused, { what: 'no connection' });
  await take(other);
  const pool = poolOf();
  await until(async () => (await outcome(pool.query('select 1'))) === 'done', { what: 'an answer' });
  expect(await placeOf(pool)).toBe('other');
});

test('connections to a server that froze are ended when another one takes over, idle ones too', async () => {
  const listening = await poolOf().connect();
  const broken = once(listening, 'error');
  const hanging = poolOf();
  const waiting = outcome((await hanging.connect()).query('select pg_sleep(600)'));
  const pool = poolOf({ query_timeout: 500 });
  expect(await placeOf(pool)).toBe('one');
  one.signalAll('SIGSTOP');
  await take(other);
  expect(await outcome(pool.query('select 1'))).toBe('unavailable');
  await until(async () => (await outcome(pool.query('select 1'))) === 'done', { what: 'an answer' });
  expect(await placeOf(pool)).toBe('other');
  await broken;
  listening.release(true);
  expect(await waiting).toBe('unavailable');
  one.signalAll('SIGCONT');
});
