import type { NamedForm } from '../access/queries.ts';
import type { Db, Transaction } from '../db/database.ts';
import { refuseMoved } from '../forms/lock-form.ts';
import { notFound } from '../http/errors.ts';
import { type FormGate, lockFormGate } from './store-queries.ts';

/**
 * Locks the counters of a form as `lockFormGate` does, and makes sure it is still in the workspace that the caller has a role in.
 * @returns null when the form is gone
 * @throws HttpError 409 when it was moved meanwhile
 */
export async function lockFormGateIn(
  trx: Transaction,
  { id, workspaceId }: NamedForm,
): Promise<FormGate | null> {
  const gate = await lockFormGate(trx, id);
  if (gate) refuseMoved(gate.workspaceId, workspaceId);
  return gate;
}

/**
 * Runs `work` in a transaction that holds the form's lock. Deletions take it too, so no submission disappears meanwhile.
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile
 */
export function underFormGate<Result>(
  db: Db,
  form: NamedForm,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockFormGateIn(trx, form))) throw notFound('Submission');
    return work(trx);
  });
}
