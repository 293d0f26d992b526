import { type AmountDue, wholeUnits } from '../../fields/payment.ts';
import { type AwaitedPayment, type Checkout, dueOf, type ReceivedPayment, receivedFor } from './checkout.ts';

/** A payment, in the API, in webhooks and in what is exported of a person. */
export function presentPayment({ reference, mode, at, ...due }: ReceivedPayment) {
  return { ...presentDue(due), reference, mode, paid_at: at.toISOString() };
}

/** What has to be paid. */
export function presentDue(due: AmountDue) {
  return { amount: wholeUnits(due), currency: due.currency };
}

/** How far a payment is, of what waits for one. */
type PaymentState = 'not_begun' | 'unknown' | Exclude<Checkout['state'], 'closed'>;

/** What is said of money where submissions wait. */
export function presentAwaitedPayment(row: AwaitedPayment) {
  const due = dueOf(row);
  const payment = receivedFor(row);
  return {
    due: due && presentDue(due),
    payment_state: due && stateOf(row.checkout),
    refusal: row.checkout?.refusal ?? null,
    ...(payment && { payment: presentPayment(payment) }),
  };
}

function stateOf(checkout: Checkout | null): PaymentState {
  if (checkout === null || checkout.state === 'closed') return 'not_begun';
  return checkout.isUnknown ? 'unknown' : checkout.state;
}
