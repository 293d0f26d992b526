import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientOfPrimary, DatabaseClient } from './database-client.ts';
import { apartFromOptions, serversOf } from './database-servers.ts';
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

/** A connection on which nothing happens is asked about after this time, or a machine that vanished is noticed after hours. */
const KEEP_ALIVE_MS = 10_000;

/** The driver says nothing of a timeout of 0, and one that the role or the database has would hold. */
const NO_TIME_LIMIT = '-c statement_timeout=0';
/** To compile a statement takes PostgreSQL a second, and it does so each time: ours take milliseconds. */
const NO_COMPILING = '-c jit=off';
/** The driver reads times in this style alone, and the operator's database may write others. */
const TIMES_AS_READ = '-c datestyle=ISO';

/** SQLSTATE of a connection that the server closes because it stops. */
const ADMIN_SHUTDOWN = '57P01';

/** int8 columns hold ids and counts, far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a pool of connections for short queries: each fails after five seconds instead of piling up behind a
 * database that hangs. `onError` hears of connections that break while idle; without a listener they would
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
    // One stays: `formstead rotate-key` sees by it that a service runs.
    min: 1,
    statement_timeout: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS + 500,
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => closeDatabase(db, pool) };
}

/** Kysely ends its pool only when it has used it itself. */
export async function closeDatabase(db: Db, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/**
 * A pool of its own kind, for work whose statements may take long or must not wait for others. With a `statement_timeout` of 0 they
 * may take as long as they like, whatever the operator's PostgreSQL allows others.
 */
export function openPool(
  connection: Connection,
  onError: (error: Error) => void,
  options: pg.PoolConfig,
): pg.Pool {
  const { options: theirs = '', ...server } = leadingToPrimary(connection);
  const pool = new pg.Pool({
    ...server,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'formstead',
    ...options,
    options: [
      theirs,
      NO_COMPILING,
      TIMES_AS_READ,
      options.statement_timeout === 0 && NO_TIME_LIMIT,
      options.options,
    ]
      .filter(Boolean)
      .join(' '),
  });
  const hear = (error: Error & { code?: string }) => {
    // A database that is stopped right after its service closes connections that were about to be closed.
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
  const { url, options } = apartFromOptions(first);
  const Client = servers.length === 1 ? DatabaseClient : clientOfPrimary(primaryFinder(servers));
  return { connectionString: url, options, Client };
}
