import { recordEvent } from '../../audit/record-event.ts';
import type { Transaction } from '../../db/database.ts';
import { insertPayment } from '../../payments/queries.ts';
import { spendLinkOfWaiting } from '../../recipients/link-queries.ts';
import { insertConfirmedAddress, type ProvenAddress } from '../confirmation/queries.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import type { Change } from '../store-change.ts';

/** The address that a sender has just confirmed; null for none. */
export function confirmedBy({ released }: Pick<Change, 'released'>): ProvenAddress | null {
  if (released?.actor !== null) return null;
  const { unconfirmed_address: address, unconfirmed_field: fieldId } = released.held;
  return address === null ? null : { address, fieldId, at: new Date() };
}

/** Keeps what was learnt while the submission waited, and what was decided: the address confirmed, the payment, who let it in. */
export async function finishRelease(
  trx: Transaction,
  form: PublishedForm,
  id: number,
  { change: { publicId, released }, confirmed }: { change: Change; confirmed: ProvenAddress | null },
): Promise<void> {
  if (form.personalLinks !== null) await spendLinkOfWaiting(trx, form.id, publicId);
  if (confirmed) await insertConfirmedAddress(trx, form.id, publicId, confirmed);
  if (released?.payment) await insertPayment(trx, form.id, publicId, released.payment);
  if (!released?.actor) return;
  const event = { verb: 'submission.released', formId: form.id, details: { submission_id: id } } as const;
  await recordEvent(trx, released.actor, event);
}
