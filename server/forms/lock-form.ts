import type { NamedForm } from '../access/queries.ts';
import type { Transaction } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { holdForm, lockProperties } from './queries.ts';

/**
 * Locks a form until the transaction ends, and makes sure that it is still in the workspace that the caller's role was looked up in: in
 * another one the caller may have a lesser role.
 * @returns its fields, see `lockProperties`
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function lockFormIn(trx: Transaction, { id, workspaceId }: NamedForm) {
  const locked = await lockProperties(trx, id);
  if (!locked) throw notFound('Form');
  refuseMoved(locked.workspace_id, workspaceId);
  return locked;
}

/** Like `lockFormIn`, for changes of what belongs to the form but not of the form itself: submissions are not held up. */
export async function holdFormIn(trx: Transaction, { id, workspaceId }: NamedForm): Promise<void> {
  const held = await holdForm(trx, id);
  if (held === null) throw notFound('Form');
  refuseMoved(held, workspaceId);
}

/** @throws HttpError 409 when the form is not in the workspace that the caller's role was looked up in */
export function refuseMoved(workspaceId: number, lookedUp: number): void {
  if (workspaceId !== lookedUp) throw new HttpError(409, 'The form was moved a moment ago.');
}
