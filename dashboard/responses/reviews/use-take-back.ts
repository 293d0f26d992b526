import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { ReviewState } from './review-states.ts';
import { decide, knownRows, stateOf } from './reviews.ts';

interface Decision {
  /** The decided state. */
  state: ReviewState;
  /** The former states, by response id. */
  former: ReadonlyMap<number, ReviewState>;
}

/** Undoes a decision, except for responses that somebody has decided differently since. */
export function useTakeBack(formId: string): (decision: Decision) => void {
  const client = useQueryClient();
  const takeBack = useAction(
    async ({ state, former }: Decision) => {
      const rows = knownRows(client, formId);
      const ids = [...former.keys()].filter((id) => {
        const row = rows.get(id);
        // Of a response that is not loaded, the service knows the state.
        return row === undefined || stateOf(row) === state;
      });
      let changed = 0;
      for (const [before, some] of Map.groupBy(ids, (id) => former.get(id) ?? 'received'))
        changed += await decide(client, formId, some, before, state);
      return former.size - changed;
    },
    {
      isMeantEachTime: true,
      onDone: (kept) => {
        if (kept > 0)
          showToast({
            text: `${formatCount(kept, 'response was', 'responses were')} decided otherwise since, and ${kept === 1 ? 'stays' : 'stay'} so.`,
          });
      },
    },
  );
  return takeBack.run;
}
