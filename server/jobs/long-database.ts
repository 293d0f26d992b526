import type { Context } from '../context.ts';
import { type Database, databaseOn, openPool } from '../db/database.ts';

/** One for each job that runs at a time: an export without one would lose one of its attempts. */
const CONNECTIONS = 4;

/** Connections for background work, whose statements may take minutes. */
export function openLongDatabase({ connection, log }: Context): Database {
  const onError = (err: Error) => log.warn({ err }, 'a database connection of the worker broke');
  return databaseOn(openPool(connection, onError, { max: CONNECTIONS, statement_timeout: 0 }));
}
