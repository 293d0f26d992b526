import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { deleteExportsWith } from '../../exports/jobs/contained-queries.ts';
import { deleteSubmissions } from '../queries.ts';
import { MAY_BE_PAID } from '../set-aside/queries.ts';
import { lockFormGate } from '../store-queries.ts';

/** Submissions deleted by one transaction: new submissions to the form wait for it, see docs/statistics.md. */
const CHUNK = 500;
/** Expired submissions that one statement lists, for many chunks: it may have to read far to find them. */
const FOUND = 5_000;
/** Submissions that one statement looks at to find expired ones. */
const SCAN = 100_000;

/** A form deletes submissions that were last changed at or before this moment; null when it keeps everything. */
export async function findOldestKept(db: Db, formId: number): Promise<Date | null> {
  const { rows } = await sql<{ moment: Date | null }>`select ${oldestKept(formId, null)} as moment`.execute(
    db,
  );
  return rows[0]?.moment ?? null;
}

/** Forms with a retention, drafts and closed ones too. */
export async function findFormsWithRetention(db: Db): Promise<{ id: number }[]> {
  return db
    .selectFrom('forms')
    .select('id')
    .where('submission_retention_value', 'is not', null)
    .orderBy('id')
    .execute();
}

/**
 * Looks through the next rows of a form for expired submissions, without locking anything.
 * @param after id of the last row looked at before; 0 to begin
 * @returns the expired ids, and the `after` to go on with; null when all rows have been looked at
 */
export async function findExpiredSubmissions(db: Db, formId: number, after: number, now: Date | null) {
  const { rows } = await sql<{ expired: number[] | null; last: number | null }>`
    with looked_at as materialized (
      select id, updated_at from kept_submissions where form_id = ${formId} and id > ${after} order by id limit ${SCAN}
    ),
    expired as (
      select id from looked_at where updated_at <= ${oldestKept(formId, now)} order by id limit ${FOUND}
    )
    select
      (select json_agg(id) from expired) as expired,
      case when (select count(*) from expired) = ${FOUND} then (select max(id) from expired)
           else (select max(id) from looked_at) end as last`.execute(db);
  const { expired, last } = rows[0] ?? { expired: null, last: null };
  return last === null ? null : { expired: expired ?? [], last };
}

/** Deletes these submissions, unless they were edited meanwhile: that is checked under the lock that edits take too. */
export async function deleteExpiredSubmissions(
  db: Db,
  formId: number,
  ids: number[],
  now: Date | null,
): Promise<void> {
  for (let start = 0; start < ids.length; start += CHUNK)
    await deleteChunk(db, formId, ids.slice(start, start + CHUNK), now);
}

async function deleteChunk(db: Db, formId: number, ids: number[], now: Date | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockFormGate(trx, formId);
    const { rows } = await sql<{ id: number }>`
      select id from kept_submissions
      where form_id = ${formId} and id = any(${ids}::bigint[]) and updated_at <= ${oldestKept(formId, now)}
        and not exists (
          select from set_aside_submissions aside
          where aside.form_id = ${formId} and aside.id = kept_submissions.id and ${MAY_BE_PAID})`.execute(
      trx,
    );
    const expired = rows.map(({ id }) => id);
    // An export must not outlive the submissions it contains.
    await deleteExportsWith(trx, formId, expired);
    await deleteSubmissions(trx, formId, expired);
  });
}

/**
 * The moment that `findOldestKept` describes, by the form's present retention. Where the target month is shorter, its last day
 * counts: one month before March 31 is February 28 or 29.
 */
function oldestKept(formId: number, now: Date | null) {
  return sql`(
    select (coalesce(${now}::timestamptz, now()) at time zone 'UTC'
      - (submission_retention_value || ' ' || submission_retention_unit)::interval) at time zone 'UTC'
    from forms where id = ${formId} and submission_retention_value is not null)`;
}
