import { sql } from 'kysely';
import type { Answers } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { NumberedSubmission } from '../deliveries/payload.ts';
import { IS_TRASHED } from '../forms/trash/queries.ts';

/** Marks a partner hook among the integrations of a form. */
export const PARTNER = 'zapier';

/** undefined for a deleted user. */
export function findPerson(db: Db, userId: number) {
  return db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirst();
}

/** All forms of a workspace, including drafts, latest change first. */
export function listFormNames(db: Db, workspaceId: number) {
  return db
    .selectFrom('forms')
    .select(['id', 'title', 'slug'])
    .where('workspace_id', '=', workspaceId)
    .where(IS_TRASHED, '=', false)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Hooks for one address; several only when the owner added some by hand. */
export function findHooks(trx: Transaction, formId: number, url: string) {
  return trx
    .selectFrom('integrations')
    .select(['id', 'integration_id', 'status', 'data'])
    .where('form_id', '=', formId)
    .where('integration_id', '=', PARTNER)
    .where(sql<boolean>`data->>'webhook_url' = ${url}`)
    .orderBy('id')
    .execute();
}

export async function activateHook(trx: Transaction, formId: number, id: number): Promise<void> {
  await trx
    .updateTable('integrations')
    .set({ status: 'active', inactive_reason: null, failing_since: null, updated_at: sql`now()` })
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .execute();
}

/** The latest complete submission as in a delivery, or null. */
export async function findLatestSubmission(db: Db, formId: number): Promise<NumberedSubmission | null> {
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'public_id', 'data', 'attribution', 'ending'])
    .where('form_id', '=', formId)
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    publicId: row.public_id,
    answers: row.data as Answers,
    attribution: row.attribution as Record<string, string> | null,
    ending: row.ending,
  };
}
