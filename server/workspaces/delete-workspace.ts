import type { Transaction } from '../db/database.ts';
import { type DeletedForms, deleteFormsOfWorkspace } from '../forms/delete-form.ts';
import { notFound } from '../http/errors.ts';
import { deleteWorkspaceRow, lockWorkspace } from './queries.ts';

/**
 * Deletes a workspace with its forms, submissions, integrations, deliveries, exports, invites and members.
 * @returns what is left to do once this is committed
 * @throws HttpError 404 when somebody else deleted it a moment ago
 */
export async function deleteWorkspace(trx: Transaction, id: number): Promise<DeletedForms> {
  if (!(await lockWorkspace(trx, id))) throw notFound('Workspace');
  const forms = await deleteFormsOfWorkspace(trx, id);
  await deleteWorkspaceRow(trx, id);
  return forms;
}
