import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { DraftDefinition } from './draft-definition.ts';

/** The unpublished changes of a form, and the version the form has meanwhile. */
export type FormDraft = NonNullable<Awaited<ReturnType<typeof findFormDraft>>>;

export async function findFormDraft(db: Db, formId: number) {
  const row = await selectDraft(db, formId).executeTakeFirst();
  return row ? { ...row, definition: row.definition as unknown as DraftDefinition } : null;
}

/** Keeps the changes as they are until the transaction ends. @returns which save they are of, null without them */
export async function lockFormDraft(trx: Transaction, formId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('unpublished_changes')
    .select('revision')
    .where('form_id', '=', formId)
    .forUpdate()
    .executeTakeFirst();
  return row?.revision ?? null;
}

function selectDraft(db: Db, formId: number) {
  return db
    .selectFrom('unpublished_changes as draft')
    .innerJoin('forms', 'forms.id', 'draft.form_id')
    .leftJoin('users', 'users.id', 'draft.saved_by')
    .select(['draft.definition', 'draft.password_hash', 'draft.base_version', 'draft.revision'])
    .select(['draft.begun_at', 'draft.saved_at', 'draft.saved_by', 'users.name as saved_by_name'])
    .select('forms.version')
    .where('draft.form_id', '=', formId);
}

export interface NewDraft {
  definition: DraftDefinition;
  passwordHash: string | null;
  userId: number;
}

/**
 * Saves the changes in place of those there are; the form's version is noted when they are begun.
 * @param expected the save they must replace, 0 for none; null replaces any.
 * @returns which save this is, from 1; null when another one than the expected is there, or the form is gone.
 */
export async function upsertFormDraft(
  trx: Transaction,
  formId: number,
  { definition, passwordHash, userId }: NewDraft,
  expected: number | null,
): Promise<number | null> {
  const { rows } = await sql<{ revision: number }>`
    insert into unpublished_changes as draft (form_id, definition, password_hash, base_version, saved_by)
    select id, ${JSON.stringify(definition)}::json, ${passwordHash}, version, ${userId}::bigint from forms
    where id = ${formId} and (${expected}::int is null or ${expected}::int = coalesce(
      (select revision from unpublished_changes where form_id = ${formId}), 0))
    on conflict (form_id) do update set
      definition = excluded.definition, password_hash = excluded.password_hash, saved_by = excluded.saved_by,
      saved_at = now(), revision = draft.revision + 1
    where ${expected}::int is null or draft.revision = ${expected}::int
    returning revision`.execute(trx);
  return rows[0]?.revision ?? null;
}

/** @returns whether there were any. */
export async function deleteFormDraft(trx: Transaction, formId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('unpublished_changes')
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
