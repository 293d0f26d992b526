import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/**
 * Deletes the exports of a form, finished or under way, that may contain one of these submissions; those that are set aside are in none.
 * Their links stop working with the transaction; their files are removed in the background, at the latest by the hourly purge.
 * @returns how many there were
 */
export async function deleteExportsWith(
  trx: Transaction,
  formId: number,
  submissionIds: number[],
): Promise<number> {
  if (submissionIds.length === 0) return 0;
  const { numAffectedRows } = await sql`
    with exported as materialized (
      select id from unnest(${submissionIds}::bigint[]) as given (id)
      where not exists (
        select from set_aside_submissions aside where aside.form_id = ${formId} and aside.id = given.id)
    )
    delete from export_jobs
    where form_id = ${formId} and status in ('processing', 'completed')
      and exists (select from exported)
      and (jsonb_typeof(options->'submission_ids') is distinct from 'array'
        or exists (select from jsonb_array_elements_text(options->'submission_ids') as listed
          where listed::bigint in (select id from exported)))`.execute(trx);
  const count = Number(numAffectedRows ?? 0);
  if (count > 0) await enqueue(trx, 'purge_exports', {}, { key: 'purge_exports' });
  return count;
}

/**
 * Replaces ids of submissions that got new ones in the lists of exports: a waiting export must still find them, and a finished one
 * must be found when they are erased. The caller holds the lock of `lockFormGate`.
 */
export async function followInExports(
  trx: Transaction,
  formId: number,
  moved: readonly { former_id: number; id: number }[],
): Promise<void> {
  const listed = sql`jsonb_array_elements(
    case jsonb_typeof(options->'submission_ids') when 'array' then options->'submission_ids' else '[]' end)`;
  await sql`
    with moved as materialized (
      select former_id, id from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as row (former_id jsonb, id jsonb)
    )
    update export_jobs set options = jsonb_set(options, '{submission_ids}', (
      select jsonb_agg(coalesce(id, listed) order by place)
      from ${listed} with ordinality as ids (listed, place) left join moved on former_id = listed))
    where form_id = ${formId} and exists (select from ${listed} as listed join moved on former_id = listed)`.execute(
    trx,
  );
}
