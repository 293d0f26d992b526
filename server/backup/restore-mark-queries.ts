import type pg from 'pg';
import { UNFINISHED_RESTORE } from '../db/migrate.ts';

/** Keeps services from starting on this database until `endRestore`. The table of migrations must exist. */
export async function beginRestore(client: pg.ClientBase): Promise<void> {
  await client.query(`insert into schema_migrations (name, checksum) values ($1, '')`, [UNFINISHED_RESTORE]);
}

/** Whether a restore has begun on this database and not ended. */
export async function isRestoreUnfinished(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!rows[0]?.exists) return false;
  const found = await pool.query('select from schema_migrations where name = $1', [UNFINISHED_RESTORE]);
  return found.rowCount !== 0;
}

export async function endRestore(pool: pg.Pool): Promise<void> {
  await pool.query('delete from schema_migrations where name = $1', [UNFINISHED_RESTORE]);
}
