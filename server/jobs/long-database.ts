import { Kysely, PostgresDialect } from 'kysely';
import type { Context } from '../context.ts';
import { closeDatabase, type Database, openPool } from '../db/database.ts';
import type { DB } from '../db/schema.ts';

/** One for each job that runs at a time: an export without one would lose one of its attempts. */
const CONNECTIONS = 3;

/** Connections for background work, whose statements may take minutes. */
export function openLongDatabase({ connection, log }: Context): Database {
  const onError = (err: Error) => log.warn({ err }, 'a database connection of the worker broke');
  const pool = openPool(connection, onError, { max: CONNECTIONS, statement_timeout: 0 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => closeDatabase(db, pool) };
}
