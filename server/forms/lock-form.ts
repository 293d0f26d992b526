import type { FormAccess } from '../access/queries.ts';
import type { Transaction } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { holdForm, lockProperties } from './queries.ts';

/**
 * The fields of a form, locked until the transaction ends, in the workspace in which the caller's role was looked up: in another
 * one the caller may have a lesser one.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function lockFormIn(
  trx: Transaction,
  { id, workspaceId }: Pick<FormAccess, 'id' | 'workspaceId'>,
) {
  const locked = await lockProperties(trx, id);
  if (!locked) throw notFound('Form');
  refuseMoved(locked.workspace_id, workspaceId);
  return locked;
}

/** The same for what hangs on the form and changes nothing of it: answers go on coming in meanwhile. */
export async function holdFormIn(
  trx: Transaction,
  { id, workspaceId }: Pick<FormAccess, 'id' | 'workspaceId'>,
): Promise<void> {
  const held = await holdForm(trx, id);
  if (held === null) throw notFound('Form');
  refuseMoved(held, workspaceId);
}

/** @throws HttpError 409 where the workspace is another one than that in which the caller's role was looked up. */
export function refuseMoved(workspaceId: number, lookedUp: number): void {
  if (workspaceId !== lookedUp) throw new HttpError(409, 'The form was moved a moment ago.');
}
