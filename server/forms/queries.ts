import type { MemberRole } from '../access/abilities.ts';
import type { Db, Transaction } from '../db/database.ts';
import { parseId, parseUuid } from '../http/ids.ts';

export interface FormAccess {
  id: number;
  workspaceId: number;
  /** null: the caller is not a member of the form's workspace. */
  role: MemberRole | null;
}

/** A form by numeric id, UUID or slug, with the role a user has in its workspace; null when there is none. */
export async function findFormAccess(db: Db, ref: string, userId: number): Promise<FormAccess | null> {
  const key = formKey(ref);
  if (!key) return null;
  const found = await db
    .selectFrom('forms')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'forms.workspace_id')
        .on('workspace_members.user_id', '=', userId),
    )
    .select(['forms.id', 'forms.workspace_id as workspaceId', 'workspace_members.role'])
    .where(`forms.${key.column}`, '=', key.value)
    .executeTakeFirst();
  return found ? { ...found, role: found.role as MemberRole | null } : null;
}

/** The column a reference means: only digits is the numeric id, then a UUID, everything else a slug. */
export function formKey(ref: string): { column: 'id' | 'uuid' | 'slug'; value: string | number } | null {
  if (/^[0-9]+$/.test(ref)) {
    const id = parseId(ref);
    return id === null ? null : { column: 'id', value: id };
  }
  const uuid = parseUuid(ref);
  return uuid === null ? { column: 'slug', value: ref } : { column: 'uuid', value: uuid };
}

/** Tells submissions in flight that the form they were checked against has changed. */
export async function bumpFormRevision(trx: Transaction, formId: number): Promise<void> {
  await trx
    .updateTable('forms')
    .set((form) => ({ revision: form('revision', '+', 1) }))
    .where('id', '=', formId)
    .execute();
}
