import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ofConnecting } from './constraint-errors.ts';
import { clientOfPrimary, DatabaseClient } from './database-client.ts';
import { apartFromSession, serversOf } from './database-servers.ts';
import { FrugalPool } from './frugal-pool.ts';
import { primaryFinder } from './primary.ts';
import type { DB } from './schema.ts';

export type Db = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** Where PostgreSQL answers: a URL, which may name several servers, or the Unix socket of the embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; ssl?: false };

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** More connections than this slow a small machine down. */
const POOL_SIZE = 16;
/** A request that waits longer for the database is answered with 503. */
const QUERY_TIMEOUT_MS = 5_000;

/** An idle connection is probed after this time; otherwise a machine that vanished is noticed only after hours. */
const KEEP_ALIVE_MS = 10_000;

/** Settings of a session, by their names in PostgreSQL. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Settings that the driver and our statements rely on; the operator's database or role may have others. All are PostgreSQL's
 * defaults except `jit`: PostgreSQL takes up to a second to compile a statement, each time, and ours run for milliseconds.
 */
const AS_STATEMENTS_EXPECT: SessionSettings = {
  jit: 'off',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
};
/**
 * For connections whose plans are made while tables may be empty, and kept while they grow to millions of rows: the only join left
 * enabled is the one that asks an index row by row.
 */
export const ROW_BY_ROW: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
/** `formstead rotate-key` finds services by this name. */
const NAME = 'formstead';

/** SQLSTATE of a connection that the server closes because it stops. */
const ADMIN_SHUTDOWN = '57P01';

/** int8 columns hold ids and counts, far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a pool of connections for short queries: each fails after five seconds instead of piling up behind a
 * database that hangs. `onError` is called for connections that break while idle; without a listener they would
 * end the process. `settings` are those of the sessions.
 */
export function openDatabase(
  connection: Connection,
  onError: (error: Error) => void,
  poolSize = POOL_SIZE,
  settings: SessionSettings = {},
): Database {
  const pool = openPool(connection, onError, {
    max: poolSize,
    settings,
    // One connection stays, by which `formstead rotate-key` sees that a service runs.
    min: 1,
    statement_timeout: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS + 500,
  });
  return databaseOn(pool);
}

/** The typed side of a pool. */
export function databaseOn(pool: pg.Pool): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    async close() {
      await db.destroy();
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end();
    },
  };
}

export interface PoolOptions extends Omit<pg.PoolConfig, 'options' | 'statement_timeout'> {
  /** In milliseconds; 0 for none. Unset, the limit of the operator's PostgreSQL applies. */
  statement_timeout?: number;
  settings?: SessionSettings;
}

/**
 * A separate pool, for work whose statements may take long or must not wait for others. With a `statement_timeout` of 0 they may
 * take any time, also when the operator's PostgreSQL sets a limit.
 */
export function openPool(
  connection: Connection,
  onError: (error: Error) => void,
  { settings, statement_timeout: timeout, ...options }: PoolOptions,
): pg.Pool {
  const { application_name: name, ...server } = leadingToPrimary(connection);
  const all = { ...AS_STATEMENTS_EXPECT, ...settings };
  const pool = new FrugalPool({
    ...server,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: name ? `${NAME} ${name}` : NAME,
    onConnect: (client) =>
      setForSession(client, timeout === undefined ? all : { ...all, statement_timeout: `${timeout}` }),
    ...options,
  });
  const hear = (error: Error & { code?: string }) => {
    // A database that stops right after its service closes connections which the pool is about to close itself.
    if (!pool.ending || error.code !== ADMIN_SHUTDOWN) onError(error);
  };
  pool.on('error', hear);
  pool.on('connect', (client) => client.on('error', hear));
  return pool;
}

/** By a statement, because poolers such as PgBouncer refuse or ignore settings that come with the request for a connection. */
async function setForSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const statement = {
    text: 'select set_config(key, value, false) from json_each_text($1)',
    values: [JSON.stringify(settings)],
    query_timeout: QUERY_TIMEOUT_MS,
  };
  await client.query(statement).catch((error: Error) => {
    throw ofConnecting(error);
  });
}

function leadingToPrimary(connection: Connection): pg.PoolConfig {
  const servers = 'connectionString' in connection ? serversOf(connection.connectionString) : [];
  const [first] = servers;
  if (first === undefined) return { ...connection, Client: DatabaseClient };
  const { url, options, name } = apartFromSession(first);
  const Client = servers.length === 1 ? DatabaseClient : clientOfPrimary(primaryFinder(servers));
  return { connectionString: url, options: options || undefined, application_name: name, Client };
}
