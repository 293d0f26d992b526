import { amountText } from '../../../fields/as-text/currencies.ts';
import { formatMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Submission } from '../queries.ts';

type Payment = NonNullable<Submission['payment']>;

/** How much was paid, in one line. */
export function Amount({
  payment: { amount, currency, mode },
}: {
  payment: Pick<Payment, 'amount' | 'currency' | 'mode'>;
}) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="tabular-nums">{amountText(amount, currency, 'en')}</span>
      {mode === 'test' && <Badge tone="warn">Test mode</Badge>}
    </span>
  );
}

/** What was paid and when, and where to find it at Stripe. */
export function Paid({ payment }: { payment: Payment }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Amount payment={payment} />
        <span className="text-muted">on {formatMoment(payment.paid_at)}</span>
      </span>
      <span className="font-mono text-xs break-all">{payment.reference}</span>
    </>
  );
}
