import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/database.ts';

export interface LastBackup {
  ageSeconds: number;
  missingFiles: number;
}

/** One that was made while the clock was further ahead says nothing about how old the last one is. */
const IS_CREDIBLE = `taken_at <= now() + interval '1 hour'`;

/** The last backup that was made with the command; null when none was. */
export async function lastBackup(db: Db): Promise<LastBackup | null> {
  const { rows } = await sql<LastBackup>`
    select greatest(extract(epoch from now() - taken_at), 0)::float8 as "ageSeconds", files_missing as "missingFiles"
    from backups where ${sql.raw(IS_CREDIBLE)} order by taken_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Backups on record; older ones are forgotten. */
const REMEMBERED_BACKUPS = 100;

/** Records a finished backup, if the schema already has a table for it. */
export async function noteBackup(
  pool: pg.Pool,
  backup: { takenAt: string; bytes: number; missingFiles: number },
): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('backups') is not null as exists`,
  );
  if (!rows[0]?.exists) return;
  await pool.query('insert into backups (taken_at, bytes, files_missing) values ($1, $2, $3)', [
    backup.takenAt,
    backup.bytes,
    backup.missingFiles,
  ]);
  await pool.query('delete from backups where id not in (select id from backups order by id desc limit $1)', [
    REMEMBERED_BACKUPS,
  ]);
}

/** Any number no other advisory lock has. */
const NIGHTLY_LOCK = 7_340_031;

/**
 * Does the work if no backup was made since the latest `at` o'clock, and no other process is at it.
 * @param at minute of the day, UTC
 * @returns whether it was done
 */
export async function whenBackupIsDue(
  pool: pg.Pool,
  at: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    // A transaction keeps the lock on its session, also behind a pooler. It sees nothing between statements, so it holds up no cleaning.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    const lock = await client.query('select pg_try_advisory_xact_lock($1) as locked', [NIGHTLY_LOCK]);
    if (lock.rows[0]?.locked !== true) return false;
    const { rows } = await client.query(BACKUP_IS_DUE, [at]);
    if (rows[0]?.due !== true) return false;
    await work();
    return true;
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

const BACKUP_IS_DUE = `
  with today as (select date_trunc('day', now(), 'UTC') + make_interval(mins => $1) as due),
    latest as (select case when due > now() then due - interval '1 day' else due end as due from today)
  select not exists (select from backups where taken_at >= latest.due and ${IS_CREDIBLE}) as due from latest`;
