import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { inBatches } from '../batches.ts';
import { responsesKey } from '../queries.ts';

/** Deletes responses that are in the trash or were set aside. */
export function useDeleteForGood(formId: string, onDone: (ids: readonly number[]) => void) {
  return useAction(
    async (ids: readonly number[]) => {
      for (const submissionIds of inBatches(ids))
        await api.post('/open/forms/{form}/submissions/multi', {
          path: { form: formId },
          body: { submissionIds },
        });
    },
    {
      ...refreshing(formId),
      toast: (_, ids) => `${formatCount(ids.length, 'response was', 'responses were')} deleted.`,
      onDone: (_, ids) => onDone(ids),
    },
  );
}

/** Refreshes after failures too, because a part may have succeeded. */
export function refreshing(formId: string) {
  return { refresh: [responsesKey(formId), ['forms', formId]], refreshesAnyway: true };
}
