import type { Db, Transaction } from '../db/database.ts';
import { cancelDeliveries } from '../deliveries/queries.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { deleteIntegrationRow } from './queries.ts';

/** Deliveries cancelled in the same transaction: meanwhile the form is locked, and its submissions wait. */
const AT_ONCE = 1_000;
/** Deliveries cancelled by one background statement, so that it holds its locks only briefly. */
const CHUNK = 5_000;

/**
 * Removes an integration. Its waiting deliveries are not sent, since every claim checks the integration; a large backlog
 * is cancelled in the background.
 * @returns false when there was none
 */
export async function deleteIntegration(trx: Transaction, formId: number, id: number): Promise<boolean> {
  if (!(await deleteIntegrationRow(trx, formId, id))) return false;
  // Skips locked deliveries: a process that records an attempt holds one and may wait for the integration.
  await cancelDeliveries(trx, id, AT_ONCE, 'skip');
  await enqueue(trx, 'cancel_deliveries', { integrationId: id });
  return true;
}

/**
 * Cancels the rest, step by step. None are added, as the integration is gone. A step cancels fewer than it might where attempts were
 * recorded meanwhile, so only one that cancels none is the last.
 */
export async function cancelRemaining(db: Db, integrationId: number, stopping: AbortSignal): Promise<void> {
  while ((await cancelDeliveries(db, integrationId, CHUNK, 'wait')) > 0)
    if (stopping.aborted) return enqueue(db, 'cancel_deliveries', { integrationId });
}
