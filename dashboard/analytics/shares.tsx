import type { ReactNode } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Card } from '../ui/page.tsx';
import { UserText } from '../ui/user-text.tsx';
import { formatShare } from './figures.tsx';

export interface Share {
  name: string;
  count: number;
  /** A text of ours, not one from visitors. */
  isOurs?: boolean;
  /** An action for this share. */
  action?: ReactNode;
}

interface SharesProps {
  title: string;
  /** The counted unit, such as `views`. */
  unit: string;
  shares: Share[];
  /** Shown in place of rows if nothing was counted. */
  empty: string;
}

/** Shares of a whole on a card, the largest first. */
export function Shares({ title, unit, shares, empty }: SharesProps) {
  const whole = shares.reduce((sum, { count }) => sum + count, 0);
  const counted = shares.filter(({ count }) => count > 0);
  return (
    <Card title={title} className="min-w-0">
      {counted.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <Bars shares={counted} unit={unit} whole={whole} />
      )}
    </Card>
  );
}

/** Shares of a whole as bars with figures, readable without seeing the bars. */
export function Bars({ shares, unit, whole }: Pick<SharesProps, 'shares' | 'unit'> & { whole: number }) {
  return (
    <ol className="-mx-2 grid max-h-85 grid-cols-1 gap-1 overflow-y-auto">
      {shares.map(({ name, count, isOurs, action }) => (
        <li key={`${isOurs} ${name}`} className="relative flex items-center gap-3 rounded-md px-2 py-1.5">
          <span
            aria-hidden="true"
            className="drawn-behind-text absolute inset-y-0 inset-s-0 rounded-md bg-accent-soft"
            style={{ width: `${Math.min(1, count / Math.max(1, whole)) * 100}%` }}
          />
          <span className="relative min-w-0 flex-1">
            {isOurs ? <span className="text-muted">{name}</span> : <UserText text={name} />}
          </span>
          {action}
          <span className="relative shrink-0 tabular-nums" title={`${formatNumber(count)} ${unit}`}>
            {formatNumber(count)}
            <span className="sr-only"> {unit}</span>
          </span>
          <span className="relative w-14 shrink-0 text-end text-muted tabular-nums">
            {formatShare(count, whole)}
          </span>
        </li>
      ))}
    </ol>
  );
}
