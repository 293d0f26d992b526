import { amountText } from '../../fields/as-text/currencies.ts';
import { formatCount } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import type { FieldFigures } from './queries.ts';

/** What was paid in all, by currency. Money that moved stands apart from what was paid in test mode. */
export function PaymentSums({ payments }: { payments: NonNullable<FieldFigures['payments']> }) {
  return (
    <ul aria-label="Paid" className="grid gap-3">
      {payments.map(({ amount, currency, mode, count }) => (
        <li key={`${currency} ${mode}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="text-xl font-semibold tabular-nums">{amountText(amount, currency, 'en')}</span>
          <span className="text-muted">by {formatCount(count, 'payment')}</span>
          {mode === 'test' && <Badge tone="warn">Test mode</Badge>}
        </li>
      ))}
    </ul>
  );
}
