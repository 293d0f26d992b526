import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useChoice } from '../../api/use-choice.ts';
import { formatCount } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { Submission } from '../queries.ts';
import { ReviewBadge } from './review-badge.tsx';
import { ReviewMenu } from './review-menu.tsx';
import { type ReviewState, STATE_NAMES } from './review-states.ts';
import { addToHistory, stateOf } from './reviews.ts';
import { useTakeBack } from './use-take-back.ts';

interface ReviewLineProps {
  formId: string;
  response: Submission;
  /** Scrolls to the history. */
  onHistory(): void;
}

/** A response's review state, and controls to change it. */
export function ReviewLine({ formId, response, onHistory }: ReviewLineProps) {
  const client = useQueryClient();
  const refusal = useRefusal('user');
  const { notes = 0 } = response.review ?? {};
  const takeBack = useTakeBack(formId);
  const review = useChoice(
    stateOf(response),
    (state: ReviewState) => addToHistory(client, formId, response.id, { state }),
    {
      onDone: (state, former) =>
        showToast({
          text: `Review: ${STATE_NAMES[state].toLowerCase()}.`,
          undo: () => takeBack({ state, former: new Map([[response.id, former]]) }),
        }),
    },
  );
  const button = (
    <Button size="sm" aria-label={`Review: ${STATE_NAMES[review.value]}`} disabledReason={refusal}>
      <ReviewBadge state={review.value} />
      <ChevronDown aria-hidden="true" className="size-3.5 text-muted" />
    </Button>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span aria-hidden="true" className="text-[0.8125rem] text-muted">
        Review
      </span>
      {refusal === null ? (
        <ReviewMenu trigger={button} state={review.value} onChoose={review.choose} />
      ) : (
        button
      )}
      {notes > 0 && (
        <Button size="sm" look="quiet" onClick={onHistory}>
          {formatCount(notes, 'note')}
        </Button>
      )}
    </div>
  );
}
