import { MessageSquareText } from 'lucide-react';
import { formatCount } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { type ReviewState, STATE_NAMES, STATE_TONES } from './review-states.ts';

export function ReviewBadge({ state }: { state: ReviewState }) {
  return <Badge tone={STATE_TONES[state]}>{STATE_NAMES[state]}</Badge>;
}

/** The number of notes, if there are any. */
export function NoteCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
      <MessageSquareText role="img" aria-label={formatCount(count, 'note')} className="size-3.5" />
      <span aria-hidden="true">{count}</span>
    </span>
  );
}
