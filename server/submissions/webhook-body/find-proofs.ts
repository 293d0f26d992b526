import type { Db } from '../../db/database.ts';
import type { PayloadSubmission } from '../../deliveries/payload.ts';
import { findPayment } from '../../payments/queries.ts';
import { findConfirmedAddresses } from '../confirmation/queries.ts';

/** Who confirmed a submission, and what was paid for it, as deliveries tell of it. */
export async function findProofs(
  db: Db,
  formId: number,
  publicId: string,
): Promise<Pick<PayloadSubmission, 'confirmed' | 'payment'>> {
  const confirmed = (await findConfirmedAddresses(db, formId, [publicId])).get(publicId) ?? null;
  const payment = await findPayment(db, formId, publicId);
  return { confirmed, payment };
}
