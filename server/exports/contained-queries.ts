import { sql } from 'kysely';
import type { Transaction } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';

/**
 * Takes back the finished and half finished exports of a form that may hold one of these submissions. Their links end with the
 * transaction; the files follow in the background, and by the hourly sweep at the latest.
 * @returns how many there were
 */
export async function deleteExportsWith(
  trx: Transaction,
  formId: number,
  submissionIds: number[],
): Promise<number> {
  if (submissionIds.length === 0) return 0;
  const { numAffectedRows } = await sql`
    delete from export_jobs
    where form_id = ${formId} and status in ('processing', 'completed')
      and (jsonb_typeof(options->'submission_ids') is distinct from 'array'
        or exists (select from jsonb_array_elements_text(options->'submission_ids') as listed
          where listed::bigint = any(${submissionIds}::bigint[])))`.execute(trx);
  const count = Number(numAffectedRows ?? 0);
  if (count > 0) await enqueue(trx, 'purge_exports', {}, { key: 'purge_exports' });
  return count;
}
