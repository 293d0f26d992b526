import type { Context } from '../../context.ts';
import { type PaymentPage, paymentPage } from '../../payments/payment-link.ts';
import { findUnpaid } from '../../payments/queries.ts';
import { findWaiting } from '../confirmation/queries.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { endOfWaiting } from '../set-aside/reasons.ts';
import { submissionHash } from './submission-hash.ts';

/** What the sender is told. */
export type Acknowledgement = { isReplay: boolean } & (
  | { isPartial: true; submissionHash: string }
  | CompleteAcknowledgement
);

/** What the sender of a complete submission is told. */
export interface CompleteAcknowledgement {
  isPartial: false;
  submissionId: string;
  isFirst: boolean;
  confirmation: Awaited | null;
  /** Where its sender pays before it counts; null for nothing. */
  payment: PaymentPage | null;
}

/** What the submission waits for: its sender confirms the address. */
interface Awaited {
  address: string;
  until: Date;
}

/** The acknowledgement of a submission that was stored, now or by an earlier request. */
export async function acknowledge(
  context: Context,
  form: PublishedForm,
  stored: { publicId: string; isPartial: boolean; isFirst: boolean; isReplay: boolean },
): Promise<Acknowledgement> {
  const { publicId, isPartial, isFirst, isReplay } = stored;
  if (isPartial)
    return { isReplay, isPartial, submissionHash: submissionHash(context.secrets, form.id, publicId) };
  const waiting = form.confirmsEmail === null ? null : await findWaiting(context.db, form.id, publicId);
  const confirmation = waiting && {
    address: waiting.address,
    until: endOfWaiting(waiting.since, ['unconfirmed_email']),
  };
  const [unpaid] = form.payment === null ? [] : await findUnpaid(context.db, form.id, publicId);
  const payment = unpaid ? paymentPage(context, form, unpaid) : null;
  return { isReplay, isPartial, submissionId: publicId, isFirst, confirmation, payment };
}
