import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';

export async function findFormIds(db: Db, workspaceId: number): Promise<number[]> {
  const rows = await db.selectFrom('forms').select('id').where('workspace_id', '=', workspaceId).execute();
  return rows.map(({ id }) => id);
}

/** Locks forms against submissions, in the order of the intake. @returns the ids of those that exist */
export async function lockForms(trx: Transaction, formIds: number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('form_counters')
    .select('form_id')
    .where('form_id', '=', anyOf(formIds))
    .orderBy('form_id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.form_id);
}

/** Files of exports, to be removed with the forms. */
export async function findExportFiles(trx: Transaction, formIds: number[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('export_jobs')
    .select('file_name')
    .where('form_id', '=', anyOf(formIds))
    .where('file_name', 'is not', null)
    .$narrowType<{ file_name: string }>()
    .execute();
  return rows.map((row) => row.file_name);
}

/** Whether any of these forms has an integration. */
export async function haveIntegrations(trx: Transaction, formIds: number[]): Promise<boolean> {
  const row = await trx
    .selectFrom('integrations')
    .select('id')
    .where('form_id', '=', anyOf(formIds))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes forms, and by foreign keys their counters, integrations and export jobs. */
export async function deleteFormRows(trx: Transaction, formIds: number[]): Promise<void> {
  // In the order of the intake.
  await trx
    .deleteFrom('forms')
    .where('id', 'in', (forms) =>
      forms.selectFrom('forms').select('id').where('id', '=', anyOf(formIds)).orderBy('id').forUpdate(),
    )
    .execute();
}

function anyOf(formIds: number[]) {
  return sql<number>`any(${formIds}::bigint[])`;
}

/** Rows per table that a step deletes. The first step is made at once, further ones in the background. */
const STEP_ROWS = 10_000;

/** Tables with a form's id but no foreign key, and the column that orders their rows within a form. */
const ROWS_OF_FORM = [
  ['search_blocks', 'first_id'],
  ['submissions', 'id'],
  ['trashed_submissions', 'id'],
  ['set_aside_submissions', 'id'],
  ['confirmed_addresses', 'public_id'],
  ['payments', 'public_id'],
  ['former_submission_ids', 'former_id'],
  ['deliveries', 'id'],
  ['delivery_attempts', 'delivery_id'],
  ['idempotency_keys', 'key'],
  ['imported_submissions', 'source_id'],
  ['submission_changes', 'submission_id'],
  ['submission_reviews', 'submission_id'],
  ['review_entries', 'id'],
  ['form_days', 'day'],
  ['form_answers', 'day'],
] as const;

/** Deletes up to `STEP_ROWS` rows of a form that is gone from each of these tables. @returns whether rows may be left */
export async function deleteRowsOfForm(db: Db, formId: number): Promise<boolean> {
  let isMore = false;
  for (const [table, key] of ROWS_OF_FORM) {
    const [from, column] = [sql.table(table), sql.ref(key)];
    // Locked in this order, as by whoever still records attempts at its deliveries.
    const { numAffectedRows } = await sql`
      delete from ${from} where form_id = ${formId} and not exists (select from forms where id = ${formId}) and ${column} in (
        select ${column} from ${from} where form_id = ${formId} order by ${column} limit ${STEP_ROWS} for update)`.execute(
      db,
    );
    isMore ||= Number(numAffectedRows ?? 0) >= STEP_ROWS;
  }
  return isMore;
}
