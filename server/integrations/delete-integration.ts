import type { Db, Transaction } from '../db/database.ts';
import { cancelDeliveries } from '../deliveries/queries.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { deleteIntegrationRow } from './queries.ts';

/** Deliveries cancelled with the integration: the form is locked meanwhile, and its submissions wait. */
const AT_ONCE = 1_000;
/** Deliveries cancelled by one statement in the background, so that none holds its locks for long. */
const CHUNK = 5_000;

/**
 * Removes an integration. What it still had to send will not be sent, since every claim asks for the integration; a large
 * backlog is cancelled in the background.
 * @returns false when there was none
 */
export async function deleteIntegration(trx: Transaction, formId: number, id: number): Promise<boolean> {
  if (!(await deleteIntegrationRow(trx, formId, id))) return false;
  // Who records an attempt holds its delivery and may wait for the integration: nobody waits for the delivery here.
  await cancelDeliveries(trx, id, AT_ONCE, 'skip');
  await enqueue(trx, 'cancel_deliveries', { integrationId: id });
  return true;
}

/** The rest, step by step. Nothing is added meanwhile: the integration is gone. */
export async function cancelRemaining(db: Db, integrationId: number, stopping: AbortSignal): Promise<void> {
  while ((await cancelDeliveries(db, integrationId, CHUNK, 'wait')) === CHUNK)
    if (stopping.aborted) return enqueue(db, 'cancel_deliveries', { integrationId });
}
