import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { MeantResponses } from '../queries.ts';
import { ReviewMenu } from './review-menu.tsx';
import { type ReviewState, STATE_NAMES } from './review-states.ts';
import { decide, findStates } from './reviews.ts';
import { useTakeBack } from './use-take-back.ts';

interface ReviewManyProps {
  formId: string;
  what: MeantResponses;
  /** Why it is not possible now. */
  reason: string | null;
  onDecided(ids: number[], state: ReviewState): void;
}

/** Sets the review state of several responses, with an undo. */
export function ReviewMany({ formId, what, reason, onDecided }: ReviewManyProps) {
  const client = useQueryClient();
  const refusal = useRefusal('user') ?? reason;
  const takeBack = useTakeBack(formId);
  const review = useAction(
    async (state: ReviewState) => {
      const former = await findStates(client, formId, what);
      await decide(client, formId, [...former.keys()], state);
      return former;
    },
    {
      onDone(former, state) {
        showToast({
          text: `${formatCount(former.size, 'response')}: ${STATE_NAMES[state].toLowerCase()}.`,
          undo: () => takeBack({ state, former }),
        });
        onDecided([...former.keys()], state);
      },
    },
  );
  const button = (
    <Button size="sm" disabledReason={refusal} isRunning={review.isRunning}>
      Review
      <ChevronDown aria-hidden="true" className="size-3.5 text-muted" />
    </Button>
  );
  if (refusal !== null) return button;
  return <ReviewMenu trigger={button} state={null} onChoose={review.run} />;
}
