import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { showToast } from '../../ui/toasts.tsx';
import { inBatches } from '../batches.ts';
import { putIntoLists, responsesKey, type Submission } from '../queries.ts';
import { refreshing } from './delete-for-good.ts';

const TRASH_PER_PAGE = 50;

/** A response in the trash. */
export interface TrashedResponse extends Submission {
  trashed_at: string;
  /** When it will be deleted. */
  trash_ends_at: string;
}

const trashKey = (form: string) => [...responsesKey(form), 'trash'] as const;

/** A page of the trash, the latest first. */
export const trashQuery = (form: string, page: number) =>
  queryOptions({
    queryKey: [...trashKey(form), page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: TRASH_PER_PAGE };
      const { data, meta } = await api.get('/open/forms/{form}/submissions/trash', {
        path: { form },
        query,
        signal,
      });
      return { rows: data as TrashedResponse[], total: meta.total, lastPage: meta.last_page };
    },
  });

/** Number of responses in the trash. */
export const trashCountQuery = (form: string) =>
  queryOptions({
    queryKey: [...trashKey(form), 'count'],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1 };
      const path = { form };
      return (await api.get('/open/forms/{form}/submissions/trash', { path, query, signal })).meta.total;
    },
  });

/** A response by an id it has or had, or by its UUID; null if it is not in the trash. */
export const trashedQuery = (form: string, id: string) =>
  queryOptions({
    queryKey: [...trashKey(form), 'one', id],
    queryFn: async ({ signal }) => {
      const query = { submission_id: id };
      const path = { form };
      const { data } = await api.get('/open/forms/{form}/submissions/trash', { path, query, signal });
      return (data[0] as TrashedResponse | undefined) ?? null;
    },
  });

/**
 * Moves one response to the trash at once, with an undo.
 * @param onTrashed leaves the screens that show it, if they still do
 */
export function useTrashResponse(formId: string, onTrashed: (id: number) => void) {
  const client = useQueryClient();
  const takeBack = useTakeOut(formId);
  /** Those that are moved or being moved, so that a double click acts once. */
  const moved = useRef(new Set<number>());
  const { run } = useAction(
    ({ id }: Submission) =>
      api
        .post('/open/forms/{form}/submissions/trash', {
          path: { form: formId },
          body: { submissionIds: [id] },
        })
        .catch((error: unknown) => {
          moved.current.delete(id);
          throw error;
        }),
    {
      isMeantEachTime: true,
      refresh: [trashKey(formId)],
      onDone: (_, { id }) => {
        onTrashed(id);
        putIntoLists(client, formId, new Set([id]), null);
        void client.invalidateQueries({ queryKey: ['forms', formId], exact: true });
        showToast({ text: 'The response is in the trash.', undo: () => takeBack([id]) });
      },
    },
  );
  return (response: Submission) => {
    if (moved.current.has(response.id)) return;
    moved.current.add(response.id);
    run(response);
  };
}

/** Restores responses; several toasts may offer this at once. */
export function useTakeOut(formId: string): (ids: readonly number[]) => void {
  return useRestore(formId, { isMeantEachTime: true }).run;
}

/** Restores responses from the trash. */
export function useRestore(
  formId: string,
  { onDone, ...options }: { onDone?: (ids: readonly number[]) => void; isMeantEachTime?: boolean } = {},
) {
  return useAction(
    async (ids: readonly number[]) => {
      // Restored responses get new numbers, so the oldest go first to keep their order.
      const inOrder = ids.toSorted((one, other) => one - other);
      for (const submissionIds of inBatches(inOrder))
        await api.post('/open/forms/{form}/submissions/trash/restore', {
          path: { form: formId },
          body: { submissionIds },
        });
    },
    {
      ...refreshing(formId),
      toast: (_, ids) => `${formatCount(ids.length, 'response is', 'responses are')} back.`,
      onDone: (_, ids) => onDone?.(ids),
      ...options,
    },
  );
}

/** Deletes everything that is in the trash at that moment. */
export function useEmptyTrash(formId: string, onDone: () => void) {
  return useAction(
    async () => {
      const path = { form: formId };
      for (let until: string | undefined, isEmpty = false; !isEmpty; ) {
        const query: { until?: string } = until ? { until } : {};
        const answer: { is_empty: boolean; until: string } = await api.delete(
          '/open/forms/{form}/submissions/trash',
          { path, query },
        );
        isEmpty = answer.is_empty;
        until = answer.until;
      }
    },
    { ...refreshing(formId), toast: 'The trash is empty.', onDone },
  );
}
