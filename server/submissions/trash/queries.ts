import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import { IS_OVERDUE } from '../../forms/trash/queries.ts';
import { type CutPage, readCutPage } from '../lists/page-queries.ts';
import { type ListPart, SUBMISSION_COLUMNS, type SubmissionKey, type SubmissionRow } from '../queries.ts';
import type { WaitingPlace } from '../retention/overdue-queries.ts';

/** A submission in the trash. */
type TrashedSubmission = SubmissionRow & { trashed_at: Date };

/**
 * Moves submissions of a form into the trash and lowers its counters. What belongs to them stays; waiting deliveries are still sent.
 * The caller holds the lock of `lockFormGate`. @returns how many were moved
 */
export async function insertTrashedSubmissions(
  trx: Transaction,
  formId: number,
  ids: number[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from submissions where form_id = ${formId} and id = any(${ids}::bigint[]) returning *
    ),
    unnamed as (
      delete from imported_submissions where form_id = ${formId} and submission_id in (select id from gone)
      returning submission_id, source_id
    ),
    unreviewed as (
      delete from submission_reviews where form_id = ${formId} and submission_id in (select id from gone)
      returning submission_id, state, notes_count
    ),
    kept as (
      insert into trashed_submissions (form_id, id, public_id, status, data, attribution, completion_time, ending,
        created_at, updated_at, source_ids, review_state, review_notes)
      select form_id, id, public_id, status, data, attribution, completion_time, ending, created_at, updated_at,
        array(select source_id from unnamed where unnamed.submission_id = gone.id), review.state, review.notes_count
      from gone left join unreviewed review on review.submission_id = gone.id
    ),
    -- uploads whose submission never came are removed after a day; this one came, so its uploads are settled before it leaves the table
    settled as (
      update uploads set is_settled = true, sender = null
      where form_id = ${formId} and submission_public_id in (select public_id from gone)
        and removed_at is null and not is_settled
    ),
    counted as (
      update form_counters set
        completed_count = completed_count - (select count(*) from gone where status = 'completed'),
        partial_count = partial_count - (select count(*) from gone where status = 'partial')
      where form_id = ${formId}
    )
    select count(*) from gone`.execute(trx);
  return rows[0]?.count ?? 0;
}

export interface RestoredSubmission {
  id: number;
  former_id: number;
}

/**
 * Takes submissions out of the trash. They get new numeric ids, above all others: a client that has read up to some id would never
 * see lower ones. Everything else is as it was; places of options are taken even beyond their limit. The caller holds the lock of
 * `lockFormGate`.
 * @returns the restored submissions, sorted by id; one that was stored anew under the same public id stays in the trash
 */
export async function restoreTrashedSubmissions(
  trx: Transaction,
  formId: number,
  ids: number[],
): Promise<RestoredSubmission[]> {
  const { rows } = await sql<RestoredSubmission>`
    with latest as (
      select distinct on (public_id) * from trashed_submissions trash
      where form_id = ${formId} and id = any(${ids}::bigint[]) and not exists (
        select from submissions current where current.form_id = trash.form_id and current.public_id = trash.public_id)
      order by public_id, id desc
    ),
    back as materialized (
      select in_order.*, nextval('submission_ids') as new_id from (select * from latest order by id) in_order
    ),
    gone as (
      delete from trashed_submissions where form_id = ${formId} and id in (select id from back)
    ),
    stored as (
      insert into submissions (form_id, id, public_id, status, data, attribution, completion_time, ending, created_at,
        updated_at)
      select form_id, new_id, public_id, status, data, attribution, completion_time, ending, created_at, updated_at from back
    ),
    named as (
      insert into imported_submissions (form_id, source_id, submission_id)
      select form_id, unnest(source_ids), new_id from back on conflict do nothing
    ),
    reviewed as (
      insert into submission_reviews (form_id, submission_id, state, notes_count)
      select form_id, new_id, review_state, review_notes from back where review_state is not null
    ),
    said as (
      update review_entries entry set submission_id = new_id
      from back where entry.form_id = ${formId} and entry.submission_id = back.id
    ),
    changed as (
      update submission_changes change set submission_id = new_id
      from back where change.form_id = ${formId} and change.submission_id = back.id
    ),
    -- in the order of whoever records attempts, so that neither stops the other
    locked as materialized (
      select deliveries.id, new_id from deliveries join back on submission_id = back.id
      where deliveries.form_id = ${formId} order by deliveries.id for no key update of deliveries
    ),
    delivered as (
      update deliveries delivery set submission_id = new_id
      from locked where delivery.form_id = ${formId} and delivery.id = locked.id
    ),
    renumbered as (
      update former_submission_ids former set submission_id = new_id
      from back where former.form_id = ${formId} and former.submission_id = back.id
    ),
    numbered as (
      insert into former_submission_ids (form_id, former_id, submission_id) select form_id, id, new_id from back
    ),
    chosen as (
      select field, option_key, count(*) from back join option_places using (form_id)
      where status = 'completed' and (data -> field) ?| (former_names || option)
      group by field, option_key
    ),
    taken as (
      update option_places set taken = taken + count from chosen
      where form_id = ${formId}
        and (option_places.field, option_places.option_key) = (chosen.field, chosen.option_key)
    ),
    counted as (
      update form_counters set
        completed_count = completed_count + (select count(*) from back where status = 'completed'),
        partial_count = partial_count + (select count(*) from back where status = 'partial')
      where form_id = ${formId}
    )
    select new_id as id, id as former_id from back order by new_id`.execute(trx);
  return rows;
}

/**
 * One page of a form's trash, the latest first, and how many submissions it has.
 * @param key of the only submission to look for; undefined for all
 */
export async function findTrashedSubmissions(
  db: Db,
  formId: number,
  { limit, offset, isWhole }: Omit<ListPart, 'beforeId'>,
  key: SubmissionKey | undefined,
): Promise<CutPage<TrashedSubmission> & { total: number }> {
  const trash = db
    .selectFrom('trashed_submissions')
    .where('form_id', '=', formId)
    .$if(key !== undefined, (query) => query.where((where) => where.and(key as SubmissionKey)));
  const page = trash
    .select([...SUBMISSION_COLUMNS, 'trashed_at'])
    .orderBy('trashed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  const [found, counted] = await Promise.all([
    readCutPage<TrashedSubmission>(db, sql`${page}`, isWhole),
    trash.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ]);
  return { ...found, total: counted.count };
}

/** Up to `limit` ids of a form's trash, the oldest first. @param among only these ids @param until only what was trashed by then */
export async function findTrashedIds(
  db: Db,
  formId: number,
  { limit, among, until }: { limit: number; among?: readonly number[]; until?: Date },
): Promise<number[]> {
  const rows = await db
    .selectFrom('trashed_submissions')
    .select('id')
    .where('form_id', '=', formId)
    .$if(until !== undefined, (query) => query.where('trashed_at', '<=', until as Date))
    .$if(among !== undefined, (query) => query.where(sql<boolean>`id = any(${among}::bigint[])`))
    .orderBy('trashed_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Now, by the database's clock, which also dates what comes into the trash. */
export async function findMoment(db: Db): Promise<Date> {
  const { rows } = await sql<{
    moment: Date;
  }>`select date_trunc('milliseconds', clock_timestamp()) as moment`.execute(db);
  return rows[0]?.moment as Date;
}

/** Submissions that are due for deletion from the trash. */
export const OVERDUE_IN_TRASH: WaitingPlace = {
  table: 'trashed_submissions',
  isOverdue: IS_OVERDUE,
  order: 'trashed_at',
};
