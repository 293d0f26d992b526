import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import type { ImportedSubmission } from './judge-import.ts';

/** @returns numeric ids by source id; a source id names a submission that was imported under it, or one whose UUID it is */
export async function findImported(
  db: Db,
  formId: number,
  sourceIds: readonly string[],
): Promise<Map<string, number>> {
  const uuids = sourceIds.flatMap((sourceId) => parseUuid(sourceId) ?? []);
  const { rows } = await sql<{ source_id: string; submission_id: number }>`
    select source_id, submission_id from imported_submissions
    where form_id = ${formId} and source_id = any(${sourceIds}::text[])
    union all
    select public_id::text, id from submissions
    where form_id = ${formId} and public_id = any(${uuids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.source_id, row.submission_id]));
}

/** Submissions of one moment that are compared: where more have the same, moments are mere days, which show little. */
const SAME_MOMENT = 50;

/**
 * Submissions that the form has already with the same moment and answers as these; each is found once.
 * @returns numeric ids by index in the request
 */
export async function findAlike(
  db: Db,
  formId: number,
  submissions: readonly ImportedSubmission[],
): Promise<Map<number, number>> {
  if (submissions.length === 0) return new Map();
  const incoming = submissions.map(({ index, answers, createdAt }) => ({
    index,
    data: answers,
    created_at: createdAt,
  }));
  const { rows } = await sql<{ index: number; id: number }>`
    with incoming as materialized (
      select row.*, row_number() over (partition by created_at, data order by index) as nth
      from jsonb_to_recordset(${JSON.stringify(incoming)}::jsonb) as row (index int, data jsonb, created_at timestamptz)
    )
    select index, alike.id
    from incoming cross join lateral (
      select id from (
        select id, data from submissions
        -- moments are shown, and imported, to the millisecond; PostgreSQL keeps those of the form's own answers to the microsecond
        where form_id = ${formId} and submissions.created_at >= incoming.created_at
          and submissions.created_at < incoming.created_at + interval '1 millisecond'
        order by submissions.created_at, id limit ${SAME_MOMENT}
      ) same_moment
      where same_moment.data = incoming.data order by id offset nth - 1 limit 1
    ) alike`.execute(db);
  return new Map(rows.map(({ index, id }) => [index, id]));
}

/**
 * Stores submissions with the moment of their original submission as `created_at` and `updated_at`. The caller holds the form's lock
 * and raises its counters. Where answers of that age have been removed already, they are looked through again. @returns their numeric ids, in the same order
 */
export async function insertImported(
  trx: Transaction,
  formId: number,
  submissions: readonly ImportedSubmission[],
): Promise<number[]> {
  const incoming = submissions.map(({ publicId, answers, createdAt, completionTime, sourceId }, n) => ({
    n,
    public_id: publicId,
    data: answers,
    created_at: createdAt,
    completion_time: completionTime,
    source_id: sourceId,
  }));
  const { rows } = await sql<{ id: number }>`
    with incoming as materialized (
      select row.*, nextval('submission_ids') as id
      from jsonb_to_recordset(${JSON.stringify(incoming)}::jsonb) as row (
        n int, public_id uuid, data jsonb, created_at timestamptz, completion_time float8, source_id text)
      order by n
    ),
    stored as (
      insert into submissions (form_id, id, public_id, status, data, completion_time, created_at, updated_at)
      select ${formId}, id, public_id, 'completed', data, completion_time, created_at, created_at from incoming order by id
    ),
    named as (
      insert into imported_submissions (form_id, source_id, submission_id)
      select ${formId}, source_id, id from incoming where source_id is not null
    ),
    unread as (
      update removed_answers set changed_at = oldest, submission_id = 0
      from (select min(created_at) as oldest from incoming) moment where form_id = ${formId} and changed_at >= oldest
    )
    select id from incoming order by n`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Makes sure that auto-increment numbers given from now on are higher than this one. */
export async function raiseAutoIncrement(trx: Transaction, formId: number, number: number): Promise<void> {
  if (number === 0) return;
  await trx
    .updateTable('form_counters')
    .set({ auto_increment: number })
    .where('form_id', '=', formId)
    .where('auto_increment', '<', number)
    .execute();
}
