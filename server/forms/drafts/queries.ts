import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import type { FormRow } from '../queries.ts';
import type { DraftDefinition } from './definition.ts';

/** The draft of a form, and the present version of the form. */
export type FormDraft = NonNullable<Awaited<ReturnType<typeof findFormDraft>>>;

export async function findFormDraft(db: Db, formId: number) {
  const row = await selectDraft(db, formId).executeTakeFirst();
  if (!row) return null;
  return { ...row, definition: row.definition as unknown as DraftDefinition, base: typedBase(row.base) };
}

/** The row of the form as it was when the draft was begun. Of its moments only `closes_at`, which people set, is made a Date. */
function typedBase(base: unknown): FormRow | null {
  const row = base as (FormRow & { closes_at: string | null }) | null;
  return row && { ...row, closes_at: row.closes_at === null ? null : new Date(row.closes_at) };
}

/** Keeps the draft as it is until the transaction ends. @returns undefined without a draft */
export function lockFormDraft(trx: Transaction, formId: number) {
  return trx
    .selectFrom('unpublished_changes')
    .select([
      'revision',
      'password_hash',
      'saved_by',
      'saved_at',
      sql<DraftDefinition>`definition`.as('definition'),
    ])
    .where('form_id', '=', formId)
    .forUpdate()
    .executeTakeFirst();
}

function selectDraft(db: Db, formId: number) {
  return db
    .selectFrom('unpublished_changes as draft')
    .innerJoin('forms', 'forms.id', 'draft.form_id')
    .leftJoin('users', 'users.id', 'draft.saved_by')
    .select(['draft.definition', 'draft.password_hash', 'draft.base_version', 'draft.base', 'draft.revision'])
    .select(['draft.begun_at', 'draft.saved_at', 'draft.saved_by', 'users.name as saved_by_name'])
    .select('forms.version')
    .where('draft.form_id', '=', formId);
}

interface NewDraft {
  definition: DraftDefinition;
  passwordHash: string | null;
  userId: number;
}

/** What a save expects to find; null where it does not matter. */
export interface Expected {
  /** Revision of the draft that it replaces; 0 for none. */
  revision: number | null;
  /** Version of the form, if the save begins a draft. */
  version: number | null;
}

/**
 * Saves a draft in place of the present one. When a draft is begun, the form as it is then is kept with it.
 * @returns the draft, with its revision counted from 1 over all drafts of the form; null when not everything is as expected, or the form is gone
 */
export async function upsertFormDraft(
  trx: Transaction,
  formId: number,
  { definition, passwordHash, userId }: NewDraft,
  { revision, version }: Expected,
): Promise<FormDraft | null> {
  const { rows } = await sql<FormDraft>`
    with saved as (
      insert into unpublished_changes as draft (
        form_id, definition, password_hash, base_version, base, saved_by, revision)
      select id, ${JSON.stringify(definition)}::json, ${passwordHash}, version,
        to_jsonb(forms) - 'removed_properties', ${userId}::bigint, last_draft_revision + 1
      from forms left join unpublished_changes as former on former.form_id = forms.id
      where id = ${formId}
        and (${revision}::int is null or ${revision}::int = coalesce(former.revision, 0))
        and (${version}::int is null or ${version}::int = forms.version or former.form_id is not null)
      on conflict (form_id) do update set
        definition = excluded.definition, password_hash = excluded.password_hash, saved_by = excluded.saved_by,
        saved_at = now(), revision = greatest(draft.revision + 1, excluded.revision)
      where ${revision}::int is null or draft.revision = ${revision}::int
      returning *)
    select saved.*, users.name as saved_by_name, forms.version
    from saved join forms on forms.id = saved.form_id left join users on users.id = saved.saved_by`.execute(
    trx,
  );
  return rows[0] ?? null;
}

/**
 * A former Formstead, which may still run beside this one, counts the saves of each draft from 1: such a draft takes nothing back.
 * @returns whether there was a draft
 */
export async function deleteFormDraft(trx: Transaction, formId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with gone as (
      delete from unpublished_changes where form_id = ${formId} returning revision
    )
    update forms set last_draft_revision = greatest(last_draft_revision, gone.revision) from gone where id = ${formId}`.execute(
    trx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}
