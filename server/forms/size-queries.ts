import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { IS_TRASHED } from './trash/queries.ts';

/** Bytes of all forms that `findFormsOfUser` finds, unpacked. */
export async function measureFormsOfUser(db: Db, userId: number): Promise<number> {
  // `||` unpacks what is stored compressed.
  const unpacked = sql`pg_column_size(properties || '[]') + pg_column_size(removed_properties || '[]')
    + pg_column_size(presentation || '{}')`;
  const found = await db
    .selectFrom('forms')
    .innerJoin('workspace_members', 'workspace_members.workspace_id', 'forms.workspace_id')
    .select(sql<number>`coalesce(sum(${unpacked}), 0)`.as('bytes'))
    .where('workspace_members.user_id', '=', userId)
    .where(IS_TRASHED, '=', false)
    .executeTakeFirst();
  return found?.bytes ?? 0;
}
