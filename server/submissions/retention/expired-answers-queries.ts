import { type RawBuilder, sql } from 'kysely';
import { retentionDays } from '../../../fields/block-options/answer-retention.ts';
import type { Property } from '../../../fields/property.ts';
import { bytesBefore, storedBytes } from '../../db/bytes-before.ts';
import type { Db, Transaction } from '../../db/database.ts';

/** Submissions that one transaction looks at, and bytes of their answers (see `bytesBefore`): new submissions to the form wait for it. */
const CHUNK = 500;
const STEP_BYTES = 4 * 1024 ** 2;

/** A field whose answers are removed after some days. */
export interface AnswerRetention {
  field: string;
  days: number;
  /** Submissions up to here are done. */
  mark: Mark;
}

/** A place in the order of the last changes of submissions. */
interface Mark {
  /** Written by PostgreSQL, to the microsecond. */
  moment: string;
  /** Of the last submission of that moment. */
  id: number;
}

const BEGINNING: Mark = { moment: '-infinity', id: 0 };

/** Forms with such fields, drafts and closed ones too; the condition is that of an index. */
export async function findFormsWithAnswerRetention(db: Db): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select id from forms
    where jsonb_path_exists(properties || removed_properties, '$[*].retention_days ? (@ != null)')
    order by id`.execute(db);
  return rows;
}

/** The rules that a form has now, those of deleted fields included, and of fields that became layout blocks. */
export async function findAnswerRetentions(trx: Transaction, formId: number): Promise<AnswerRetention[]> {
  const { rows } = await sql<{ property: Property; moment: string | null; id: number | null }>`
    select property, changed_at::text as moment, submission_id as id
    from forms cross join jsonb_path_query(properties || removed_properties, '$[*] ? (@.retention_days != null)') as property
      left join removed_answers on form_id = forms.id and field = property ->> 'id'
    where forms.id = ${formId}`.execute(trx);
  return rows.flatMap(({ property, moment, id }) => {
    const days = retentionDays(property);
    if (days === null) return [];
    const mark = moment === null || id === null ? BEGINNING : { moment, id };
    return [{ field: property.id, days, mark }];
  });
}

/**
 * The next submissions after a mark whose last change is at least so many days old, those in the trash too. Two indexes have them in
 * order, one the changed submissions and one the others, so that nothing before the mark is read.
 * @returns their ids, and the mark of the last one; null when there are none
 */
export async function findNextToRemove(
  trx: Transaction,
  formId: number,
  { mark, days }: Pick<AnswerRetention, 'mark' | 'days'>,
  now: Date | null,
): Promise<{ ids: number[]; mark: Mark } | null> {
  const last = sql`(coalesce(${now}::timestamptz, now()) - make_interval(hours => 24 * ${days}::int))`;
  const inOrder = (of: string, moment: string, condition: string, until: RawBuilder<unknown>) => sql`(
    select id, ${sql.raw(moment)} as moment, ${storedBytes('data')} as bytes from ${sql.raw(of)}
    where form_id = ${formId} and ${sql.raw(condition)}
      and (${sql.raw(moment)}, id) > (${mark.moment}::timestamptz, ${mark.id}::bigint) and ${sql.raw(moment)} <= ${until}
    order by ${sql.raw(moment)}, id limit ${CHUNK})`;
  // Those that are not changed have no index of their own: where most are changed, this is as far as they are looked for.
  const far = sql`(select case when count(*) < ${CHUNK} then ${last} else max(moment) end from changed)`;
  const { rows } = await sql<{ id: number; moment: string }>`
    with changed as materialized ${inOrder('submissions', 'updated_at', 'updated_at > created_at', last)}
    select id, moment::text as moment from (
      select next.*, ${bytesBefore(sql`bytes`, sql`moment, id`)} as bytes_before from (
        select * from changed
        union all ${inOrder('submissions', 'created_at', 'updated_at <= created_at', far)}
        union all ${inOrder('trashed_submissions', 'updated_at', 'updated_at > created_at', far)}
        union all ${inOrder('trashed_submissions', 'created_at', 'updated_at <= created_at', far)}
        union all ${inOrder('set_aside_submissions', 'created_at', 'true', far)}
      ) next
    ) measured
    where bytes_before < ${STEP_BYTES}
    order by measured.moment, id limit ${CHUNK}`.execute(trx);
  const end = rows.at(-1);
  return end ? { ids: rows.map(({ id }) => id), mark: end } : null;
}

/** Those of the submissions that hold an answer to one of the fields, now or before it was changed. */
export async function findHolding(
  trx: Transaction,
  formId: number,
  ids: number[],
  fields: string[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from kept_submissions
    where form_id = ${formId} and id = any(${ids}::bigint[])
      and exists (select from unnest(${fields}::text[]) as field where data -> field <> 'null')
    union
    select submission_id from submission_changes
    where form_id = ${formId} and submission_id = any(${ids}::bigint[]) and answers ?| ${fields}::text[]`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** The answers of these submissions to the fields. */
export async function findAnswers(
  trx: Transaction,
  formId: number,
  ids: number[],
  fields: string[],
): Promise<unknown[]> {
  const { rows } = await sql<{ answer: unknown }>`
    select data -> field as answer from kept_submissions, unnest(${fields}::text[]) as field
    where form_id = ${formId} and id = any(${ids}::bigint[]) and data -> field <> 'null'`.execute(trx);
  return rows.map(({ answer }) => answer);
}

/**
 * Removes the answers to the fields from these submissions, also what they said before they were changed, and all deliveries, whose
 * bodies contain them. null stays in the place of an answer. `updated_at` stays, as nobody has changed an answer: retention counts from
 * it, and whoever listens for changes hears nothing.
 * @returns how many deliveries were still waiting
 */
export async function removeAnswers(
  trx: Transaction,
  formId: number,
  ids: number[],
  fields: string[],
): Promise<number> {
  const emptied = sql`data || coalesce((
    select jsonb_object_agg(field, null) from unnest(${fields}::text[]) as field where data ? field), '{}')`;
  const these = sql`form_id = ${formId} and id = any(${ids}::bigint[])`;
  const ofThese = sql`form_id = ${formId} and submission_id = any(${ids}::bigint[])`;
  const { rows } = await sql<{ unsent: number }>`
    with emptied as (
      update submissions set data = ${emptied} where ${these}
    ),
    trashed as (
      update trashed_submissions set data = ${emptied} where ${these}
    ),
    set_aside as (
      update set_aside_submissions set data = ${emptied} where ${these}
    ),
    forgotten as (
      update submission_changes set answers = answers - ${fields}::text[]
      where ${ofThese} and answers ?| ${fields}::text[] and answers - ${fields}::text[] <> '{}'
    ),
    unchanged as (
      delete from submission_changes
      where ${ofThese} and answers ?| ${fields}::text[] and answers - ${fields}::text[] = '{}'
    ),
    undelivered as (
      delete from deliveries where ${ofThese} returning id, state
    ),
    unattempted as (
      delete from delivery_attempts where form_id = ${formId} and delivery_id in (select id from undelivered)
    )
    select count(*) as unsent from undelivered where state = 'pending'`.execute(trx);
  return rows[0]?.unsent ?? 0;
}

/** Marks those of these files of the submissions for removal that no answer of their submission names any more. @returns how many */
export async function markUnnamed(
  trx: Transaction,
  formId: number,
  ids: number[],
  fileIds: string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update uploads set removed_at = now()
    where form_id = ${formId} and id = any(${fileIds}::uuid[]) and removed_at is null
      and submission_public_id in (
        select public_id from kept_submissions where form_id = ${formId} and id = any(${ids}::bigint[]))
      and not exists (
        select from kept_submissions holding
        where holding.form_id = uploads.form_id and holding.public_id = uploads.submission_public_id
          and strpos(holding.data::text, uploads.id::text) > 0)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

export async function saveMark(
  trx: Transaction,
  formId: number,
  fields: string[],
  { moment, id }: Mark,
): Promise<void> {
  await sql`
    insert into removed_answers (form_id, field, changed_at, submission_id)
    select ${formId}, field, ${moment}::timestamptz, ${id} from unnest(${fields}::text[]) as field
    on conflict (form_id, field) do update
    set changed_at = excluded.changed_at, submission_id = excluded.submission_id`.execute(trx);
}
