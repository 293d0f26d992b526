import { sql } from 'kysely';
import type { Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { StatisticsForm } from './present-statistics.ts';
import type { VisitCount } from './visit-counts.ts';

/** Submissions counted in one transaction, so that deletions meanwhile do not wait long. */
const CHUNK = 5_000;

/**
 * Adds counts of visits in one statement. Forms that are deleted, or being deleted, are left out: it waits for nobody,
 * and no count outlives its form.
 */
export async function addVisitCounts(db: Db, counts: VisitCount[]): Promise<void> {
  await sql`
    with incoming as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as row ("formId" bigint, day date, kind text, place text, count bigint)
    ),
    living as materialized (
      select id from forms where id in (select "formId" from incoming) order by id for key share skip locked
    ),
    viewed as (
      insert into form_views (form_id, views_count)
      select id, sum(count) from incoming join living on id = "formId" where kind = 'view' group by id order by id
      on conflict (form_id) do update set views_count = form_views.views_count + excluded.views_count
    )
    select add_to_form_days(id, array_agg(day), array_agg(kind), array_agg(place), array_agg(count))
    from (select * from incoming join living on id = "formId" order by id) counted
    group by id order by id`.execute(db);
}

/** Forms with uncounted submissions. */
export async function findUncountedForms(db: Db): Promise<number[]> {
  const { rows } = await sql<{ form_id: number }>`
    select form_id from form_counters left join counted_submissions using (form_id)
    where exists (
      select from submissions
      where submissions.form_id = form_counters.form_id and submissions.id > coalesce(last_id, 0))
    order by form_id`.execute(db);
  return rows.map((row) => row.form_id);
}

/**
 * Adds the next submissions of a form to its counters, each exactly once. It first locks the row in
 * `counted_submissions`, which changes and deletions of counted submissions wait for too (see the trigger in
 * 0010_counted_under_lock.sql).
 * @returns whether there may be more
 */
export async function countNextSubmissions(db: Db, formId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const after = await lockLastCounted(trx, 'counted_submissions', formId);
    if (after === null) return false;
    const { rows } = await sql<{ last: number | null; count: number }>`
      with next as materialized (
        select max(id) as last, count(*) as count
        from (select id from submissions where form_id = ${formId} and id > ${after} order by id limit ${CHUNK}) ids
      )
      select last, count, (
        select add_to_form_days(${formId}, array_agg(day), array_agg(kind), array_agg(place), array_agg(changes.count))
        from counts_of_submissions(${formId}, ${after}, last) changes
      ) from next where last is not null`.execute(trx);
    const { last = null, count = 0 } = rows[0] ?? {};
    if (last === null) return false;
    await trx
      .updateTable('counted_submissions')
      .set({ last_id: last })
      .where('form_id', '=', formId)
      .execute();
    return count === CHUNK;
  });
}

/**
 * Locks the row that marks the last counted submission of a form, and makes it when it is missing.
 * @returns the id of that submission, or null when the form is gone
 */
export async function lockLastCounted(
  trx: Transaction,
  table: 'counted_submissions' | 'counted_answers',
  formId: number,
): Promise<number | null> {
  const form = await trx.selectFrom('forms').select('id').where('id', '=', formId).forKeyShare().execute();
  if (form.length === 0) return null;
  await trx
    .insertInto(table)
    .values({ form_id: formId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { last_id } = await trx
    .selectFrom(table)
    .select('last_id')
    .where('form_id', '=', formId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return last_id;
}

/** A sum over places or over days: one of `day` and `place` is null. */
export interface StatisticsRow {
  kind: string;
  /** `YYYY-MM-DD` */
  day: string | null;
  place: string | null;
  count: number;
}

/**
 * All counts of a form from the first to the last day (`YYYY-MM-DD`, UTC), summed by kind and day and by kind and place,
 * in one snapshot. Submissions not in the counters yet, those of a minute at most, are counted here.
 */
export async function findStatistics(
  db: Db,
  formId: number,
  { from, to }: { from: string; to: string },
): Promise<StatisticsRow[]> {
  const { rows } = await sql<StatisticsRow>`
    with newer as materialized (
      select day, kind, place, count
      from counts_of_submissions(${formId}, coalesce((
        select last_id from counted_submissions where form_id = ${formId}), 0), ${Number.MAX_SAFE_INTEGER})
      where day between ${from}::date and ${to}::date
    ),
    -- Read twice, which takes half as long as keeping it between.
    counted as not materialized (
      select day, kind, place, count from form_days
      where form_id = ${formId} and day between ${from}::date and ${to}::date and kind <> 'seen'
      union all
      select day, kind, place, count from newer
    )
    select kind, null as day, place, sum(count)::bigint as count from counted group by kind, place
    union all
    select kind, day::text, null, sum(count)::bigint from counted
    where kind in ('view', 'start', 'completed', 'partial') group by kind, day`.execute(db);
  return rows;
}

/** The present steps and fields, for counting; null when the form is gone. */
export async function findStatisticsForm(db: Db, formId: number): Promise<StatisticsForm | null> {
  const row = await db
    .selectFrom('forms')
    .select(['properties', 'presentation'])
    .where('id', '=', formId)
    .executeTakeFirst();
  if (!row) return null;
  const { presentation_style: style, endings = [] } = row.presentation as {
    presentation_style?: string;
    endings?: StatisticsForm['endings'];
  };
  const properties = row.properties as unknown as Property[];
  return { properties, style: style === 'focused' ? 'focused' : 'classic', endings };
}
