import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import { TRASH_DAYS } from '../../trash-time.ts';

/** When a form was put into the trash; null for all others. For queries of `forms`. */
export const TRASHED_AT = sql<Date | null>`(
  select trashed_at from trashed_forms where trashed_forms.form_id = forms.id)`;
export const IS_TRASHED = sql<boolean>`exists (select from trashed_forms where trashed_forms.form_id = forms.id)`;

/** Whether a row of the trash is due for deletion. */
export const IS_OVERDUE = sql<boolean>`trashed_at <= now() - make_interval(days => ${sql.lit(TRASH_DAYS)})`;

/** Puts a form into the trash and takes it offline. The caller has locked its row. @returns false when it was in the trash already */
export async function insertTrashed(trx: Transaction, formId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with trashed as (
      insert into trashed_forms (form_id, visibility) select id, visibility from forms where id = ${formId}
      on conflict do nothing returning form_id
    )
    update forms set visibility = 'draft', revision = revision + 1 from trashed where id = form_id`.execute(
    trx,
  );
  return numAffectedRows === 1n;
}

/** Takes a form out of the trash. @returns its former visibility; null when it is not in the trash */
export async function deleteTrashed(trx: Transaction, formId: number): Promise<string | null> {
  const row = await trx
    .deleteFrom('trashed_forms')
    .where('form_id', '=', formId)
    .returning('visibility')
    .executeTakeFirst();
  return row?.visibility ?? null;
}

/** Forms in the trash that are due for deletion, with their workspaces. */
export async function findOverdueForms(db: Db): Promise<{ id: number; workspaceId: number }[]> {
  return db
    .selectFrom('trashed_forms')
    .innerJoin('forms', 'forms.id', 'trashed_forms.form_id')
    .select(['forms.id', 'forms.workspace_id as workspaceId'])
    .where(IS_OVERDUE)
    .orderBy('forms.id')
    .execute();
}

/** Whether the form is still due for deletion. The caller has locked its row. */
export async function isOverdue(trx: Transaction, formId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('trashed_forms')
    .select('form_id')
    .where('form_id', '=', formId)
    .where(IS_OVERDUE)
    .executeTakeFirst();
  return row !== undefined;
}
