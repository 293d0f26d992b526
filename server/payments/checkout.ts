import type { AmountDue } from '../../fields/payment.ts';
import type { PaymentMode } from './account.ts';

/**
 * What is known of paying for an answer that waits, as it is stored in `set_aside_submissions.checkout`.
 *
 * - `open`: somebody was led to Stripe's page, or is about to be.
 * - `processing`: they have done their part, but the money is on its way, as with a bank debit.
 * - `closed`: nothing was paid, and that page takes no payment any more.
 * - `paid`: it is paid, and the form could not take it in; `refusal` says why.
 */
export interface Checkout {
  state: 'open' | 'processing' | 'closed' | 'paid';
  /** Counts the pages at Stripe, so that a request for one can be repeated. */
  attempt: number;
  /** When that page closes, in seconds since 1970. */
  expiresAt: number;
  /** At Stripe; null until it has answered. */
  session: { id: string; url: string } | null;
  /** The account it belongs to, as stored; another one does not know the session. */
  account: string | null;
  mode: PaymentMode;
  /** When it was begun, and when Stripe is to be asked about it next; in seconds since 1970. */
  begunAt: number;
  askAt: number;
  /** Set while the workspace is not connected to the account: nobody can tell whether it is paid. */
  isUnknown?: boolean;
  /** Of what is paid: reference at Stripe and moment in ISO 8601. */
  payment?: { reference: string; at: string };
  /** Why the form did not take in what is paid. */
  refusal?: string;
}

/** A payment that was received. */
export interface ReceivedPayment extends AmountDue {
  /** At Stripe, such as `pi_…`. */
  reference: string;
  mode: PaymentMode;
  at: Date;
}

/** What a row of what was set aside says of money. */
export interface AwaitedPayment {
  amount_due: number | null;
  due_currency: string | null;
  checkout: Checkout | null;
}

/** What has to be paid, or is; null for what waits for something else. */
export function dueOf({ amount_due: minor, due_currency: currency }: AwaitedPayment): AmountDue | null {
  return minor === null || currency === null ? null : { minor, currency };
}

/** The payment that was received for what the form did not take in; null without one. */
export function receivedFor(waiting: AwaitedPayment): ReceivedPayment | null {
  const { checkout } = waiting;
  const due = dueOf(waiting);
  if (due === null || !checkout?.payment) return null;
  const { reference, at } = checkout.payment;
  return { ...due, reference, mode: checkout.mode, at: new Date(at) };
}

/** Whether somebody may be paying just now. */
export function isUnderWay(checkout: Checkout | null): boolean {
  return checkout?.state === 'open' || checkout?.state === 'processing';
}
