import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientOfPrimary, DatabaseClient } from './database-client.ts';
import { apartFromSession, serversOf } from './database-servers.ts';
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

/** The driver does not send a timeout of 0, so a timeout set for the role or the database would apply. */
const NO_TIME_LIMIT = '-c statement_timeout=0';
/**
 * Settings that the driver and our statements rely on; the operator's database or role may have others. All are PostgreSQL's
 * defaults except `jit`: PostgreSQL takes up to a second to compile a statement, each time, and ours run for milliseconds.
 */
const AS_STATEMENTS_EXPECT = [
  'jit=off',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'timezone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  'array_nulls=on',
  'default_transaction_isolation=read\\ committed',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');
/** `formstead rotate-key` finds services by this name. */
const NAME = 'formstead';

/** SQLSTATE of a connection that the server closes because it stops. */
const ADMIN_SHUTDOWN = '57P01';

/** int8 columns hold ids and counts, far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a pool of connections for short queries: each fails after five seconds instead of piling up behind a
 * database that hangs. `onError` is called for connections that break while idle; without a listener they would
 * end the process. `options` are settings of the sessions, as for `postgres -c`.
 */
export function openDatabase(
  connection: Connection,
  onError: (error: Error) => void,
  poolSize = POOL_SIZE,
  options = '',
): Database {
  const pool = openPool(connection, onError, {
    max: poolSize,
    options,
    // One connection stays, by which `formstead rotate-key` sees that a service runs.
    min: 1,
    statement_timeout: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS + 500,
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => closeDatabase(db, pool) };
}

/** Ends the pool too, because Kysely does so only if it has used it. */
export async function closeDatabase(db: Db, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/**
 * A separate pool, for work whose statements may take long or must not wait for others. With a `statement_timeout` of 0 they may
 * take any time, also when the operator's PostgreSQL sets a limit.
 */
export function openPool(
  connection: Connection,
  onError: (error: Error) => void,
  options: pg.PoolConfig,
): pg.Pool {
  const { options: theirs = '', application_name: name, ...server } = leadingToPrimary(connection);
  const pool = new pg.Pool({
    ...server,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: name ? `${NAME} ${name}` : NAME,
    ...options,
    options: [theirs, AS_STATEMENTS_EXPECT, options.statement_timeout === 0 && NO_TIME_LIMIT, options.options]
      .filter(Boolean)
      .join(' '),
  });
  const hear = (error: Error & { code?: string }) => {
    // A database that stops right after its service closes connections which the pool is about to close itself.
    if (!pool.ending || error.code !== ADMIN_SHUTDOWN) onError(error);
  };
  pool.on('error', hear);
  pool.on('connect', (client) => client.on('error', hear));
  return pool;
}

function leadingToPrimary(connection: Connection): pg.PoolConfig {
  const servers = 'connectionString' in connection ? serversOf(connection.connectionString) : [];
  const [first] = servers;
  if (first === undefined) return { ...connection, Client: DatabaseClient };
  const { url, options, name } = apartFromSession(first);
  const Client = servers.length === 1 ? DatabaseClient : clientOfPrimary(primaryFinder(servers));
  return { connectionString: url, options, application_name: name, Client };
}
