import { type Selectable, sql } from 'kysely';
import type { Answers } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { Submissions } from '../db/schema.ts';
import { namesUpload } from '../files/queries.ts';
import { enqueueRemoval } from '../files/remove-files.ts';
import { type CutPage, readCutPage } from './lists/page-queries.ts';
import { type TextSearch, WHOLE_TABLE } from './search/queries.ts';

export const SUBMISSION_COLUMNS = [
  'id',
  'public_id',
  'status',
  'data',
  'attribution',
  'completion_time',
  'ending',
  'created_at',
  'updated_at',
] as const;

export type SubmissionRow = Omit<
  Selectable<Pick<Submissions, (typeof SUBMISSION_COLUMNS)[number]>>,
  'data'
> & { data: Answers };

export interface SubmissionFilter {
  status: 'completed' | 'partial' | 'all';
  search: TextSearch | undefined;
}

export interface ListPart {
  limit: number;
  offset: number;
  /** Only ids below this one: continues a list at any depth without counting rows. */
  beforeId: number | undefined;
  /** Also when its answers are long; else it ends early then. */
  isWhole: boolean;
}

/** One page of a form's submissions, newest first. */
export async function findSubmissions(
  db: Db,
  formId: number,
  filter: SubmissionFilter,
  { limit, offset, beforeId, isWhole }: ListPart,
): Promise<CutPage<SubmissionRow>> {
  const page = filtered(db, formId, filter, 'page')
    .select(SUBMISSION_COLUMNS)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId as number))
    .orderBy('form_id', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  return readCutPage(db, sql`${page}`, isWhole);
}

/** Whether respondents may change what they have sent. */
export async function isEditable(db: Db, formId: number): Promise<boolean> {
  const form = await db
    .selectFrom('forms')
    .select(sql<boolean>`(presentation->>'editable_submissions')::boolean is true`.as('editable'))
    .where('id', '=', formId)
    .executeTakeFirst();
  return form?.editable === true;
}

/** How many submissions a filter finds; without a search the form's counters tell. */
export async function countSubmissions(db: Db, formId: number, filter: SubmissionFilter): Promise<number> {
  if (filter.search !== undefined) {
    const row = await filtered(db, formId, filter, 'all')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirst();
    return row?.count ?? 0;
  }
  const counts = await db
    .selectFrom('form_counters')
    .select(['completed_count', 'partial_count'])
    .where('form_id', '=', formId)
    .executeTakeFirst();
  const completed = filter.status === 'partial' ? 0 : (counts?.completed_count ?? 0);
  return completed + (filter.status === 'completed' ? 0 : (counts?.partial_count ?? 0));
}

function filtered(db: Db, formId: number, { status, search }: SubmissionFilter, what: keyof TextSearch) {
  const query = db
    .selectFrom(search?.[what].from ?? WHOLE_TABLE)
    .where('form_id', '=', formId)
    .$if(status !== 'all', (query) => query.where('status', '=', status));
  return search ? query.where(search[what].condition) : query;
}

/** The condition that names one submission of a form: by numeric id or by its UUID. */
export type SubmissionKey = { id: number } | { public_id: string };

export async function findSubmission(
  db: Db,
  formId: number,
  key: SubmissionKey,
): Promise<SubmissionRow | null> {
  const row = await db
    .selectFrom('submissions')
    .select(SUBMISSION_COLUMNS)
    .where('form_id', '=', formId)
    .where((where) => where.and(key))
    .executeTakeFirst();
  return row ? { ...row, data: row.data as Answers } : null;
}

/** The present ids of submissions that had one of these before they were in the trash, by the former id. */
export async function findLaterIds(
  db: Db,
  formId: number,
  formerIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ former_id: number; submission_id: number }>`
    select former_id, submission_id from former_submission_ids
    where form_id = ${formId} and former_id = any(${formerIds}::bigint[])`.execute(db);
  return new Map(rows.map(({ former_id, submission_id }) => [former_id, submission_id]));
}

/** Keeps a submission as it is until the transaction ends. @returns undefined when there is no such submission */
export function lockSubmission(trx: Transaction, formId: number, id: number) {
  return trx
    .selectFrom('submissions')
    .select(['status', 'updated_at', 'data'])
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Which of these ids are submissions of the form. */
export async function findSubmissionIds(db: Db, formId: number, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('submissions')
    .select('id')
    .where('form_id', '=', formId)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The numeric id of a submission, also of one in the trash or set aside; null without it. */
export async function findKeptId(db: Db, formId: number, key: SubmissionKey): Promise<number | null> {
  const row = await db
    .selectFrom('kept_submissions')
    .select('id')
    .where('form_id', '=', formId)
    .where((where) => where.and(key))
    .orderBy('trashed_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Which of these ids are submissions of the form, also in the trash or set aside. */
export async function findKeptIds(db: Db, formId: number, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from kept_submissions where form_id = ${formId} and id = any(${ids}::bigint[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Deletes submissions of a form, those in the trash and set aside too, with everything that belongs to them, and lowers its counters. The caller
 * holds the lock of `lockFormGate`. Where there were `unsent` deliveries, the caller answers its client only after
 * `endpointChangesInForce`, which follows the commit: from then on none of them is sent.
 * @returns how many submissions and deliveries were deleted; `unsent` are the deliveries that were still waiting
 */
export async function deleteSubmissions(
  trx: Transaction,
  formId: number,
  ids: number[],
): Promise<{ submissions: number; deliveries: number; unsent: number }> {
  const { rows } = await sql<{ submissions: number; deliveries: number; unsent: number; files: number }>`
    with gone as (
      delete from submissions where form_id = ${formId} and id = any(${ids}::bigint[])
      returning id, public_id, status
    ),
    trashed as (
      delete from trashed_submissions where form_id = ${formId} and id = any(${ids}::bigint[]) returning id, public_id
    ),
    set_aside as (
      delete from set_aside_submissions where form_id = ${formId} and id = any(${ids}::bigint[]) returning id, public_id
    ),
    away as (
      select id, public_id from gone union all select id, public_id from trashed union all select id, public_id from set_aside
    ),
    removed as (
      -- a submission stored anew while this one was in the trash has the same public id: what hangs on that id belongs to both, and stays
      select id, case when not exists (
        select from kept_submissions other
        where other.form_id = ${formId} and other.public_id = away.public_id and other.id <> all(${ids}::bigint[])
      ) then public_id end as public_id
      from away
    ),
    freed as (
      delete from idempotency_keys
      where form_id = ${formId} and submission_public_id in (select public_id from removed)
    ),
    unproven as (
      delete from confirmed_addresses where form_id = ${formId} and public_id in (select public_id from removed)
    ),
    unpaid as (
      delete from payments where form_id = ${formId} and public_id in (select public_id from removed)
    ),
    unnamed as (
      delete from imported_submissions where form_id = ${formId} and submission_id in (select id from removed)
    ),
    unnumbered as (
      delete from former_submission_ids where form_id = ${formId} and submission_id in (select id from removed)
    ),
    unchanged as (
      delete from submission_changes where form_id = ${formId} and submission_id in (select id from removed)
    ),
    unreviewed as (
      delete from submission_reviews where form_id = ${formId} and submission_id in (select id from removed)
    ),
    unsaid as (
      delete from review_entries where form_id = ${formId} and submission_id in (select id from removed)
    ),
    -- in the order of whoever records attempts, so that neither stops the other
    locked as materialized (
      select id from deliveries where form_id = ${formId} and submission_id = any(${ids}::bigint[]) order by id for update
    ),
    undelivered as (
      delete from deliveries
      where form_id = ${formId} and id in (select id from locked) and submission_id in (select id from removed)
      returning id, state
    ),
    unneeded as (
      update uploads set removed_at = now()
      where form_id = ${formId} and submission_public_id in (select public_id from away) and removed_at is null
        and not exists (
          select from kept_submissions other
          where other.form_id = uploads.form_id and other.public_id = uploads.submission_public_id
            and other.id <> all(${ids}::bigint[]) and ${namesUpload('other')})
      returning id
    ),
    forgotten as (
      delete from delivery_attempts where form_id = ${formId} and delivery_id in (select id from undelivered)
    ),
    counted as (
      update form_counters set
        completed_count = completed_count - (select count(*) from gone where status = 'completed'),
        partial_count = partial_count - (select count(*) from gone where status = 'partial')
      where form_id = ${formId}
    )
    select count(*) as submissions, (select count(*) from undelivered) as deliveries,
      (select count(*) from undelivered where state = 'pending') as unsent,
      (select count(*) from unneeded) as files
    from removed`.execute(trx);
  const { files = 0, ...removed } = rows[0] ?? { submissions: 0, deliveries: 0, unsent: 0 };
  if (files > 0) await enqueueRemoval(trx, formId);
  if (removed.unsent > 0) await noteRemovedDeliveries(trx, formId);
  return removed;
}

/** A statement after the deletion, so that whoever has claimed one of the deliveries did so before this moment. */
export async function noteRemovedDeliveries(trx: Transaction, formId: number): Promise<void> {
  await trx
    .updateTable('form_counters')
    .set({ deliveries_removed_at: sql`clock_timestamp()` })
    .where('form_id', '=', formId)
    .execute();
}
