import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { type DeletedForms, deleteFormsOfWorkspace } from '../forms/saving/delete-form.ts';
import { notFound } from '../http/errors.ts';
import { deleteWorkspaceRow, lockWorkspace } from './queries.ts';

/** Form ids listed in the audit log; beyond that it records only their number. */
const MAX_LISTED = 1_000;

/**
 * Deletes a workspace with its forms, integrations, exports, invites and members; submissions and deliveries are deleted
 * in the background.
 * @returns the work left for after the commit
 * @throws HttpError 404 when it was deleted a moment ago
 */
export async function deleteWorkspace(trx: Transaction, id: number, actor: Actor): Promise<DeletedForms> {
  if (!(await lockWorkspace(trx, id))) throw notFound('Workspace');
  const forms = await deleteFormsOfWorkspace(trx, id);
  const details = { forms: forms.formIds.length, form_ids: forms.formIds.slice(0, MAX_LISTED) };
  await recordEvent(trx, actor, { verb: 'workspace.deleted', workspaceId: id, details });
  await deleteWorkspaceRow(trx, id);
  return forms;
}
