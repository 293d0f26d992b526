import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { responsesKey, type Submission } from '../queries.ts';
import { refreshing } from './delete-for-good.ts';
import { WAITING, type WaitingKind } from './waiting-kinds.ts';

const PER_PAGE = 50;

/** A response that was set aside: suspected spam, or one that waits for its sender to confirm an address, or to pay. */
export interface SetAsideResponse extends Submission {
  reasons: { code: string; message: string }[];
  /** The address that its sender has to confirm; null for suspected spam. */
  unconfirmed_email: string | null;
  /** What its sender has to pay; null for nothing. */
  due: { amount: number; currency: string } | null;
  payment_state: 'not_begun' | 'open' | 'processing' | 'unknown' | 'paid' | null;
  /** Why what is paid was not taken in. */
  refusal: string | null;
  /** When it will be deleted; null while somebody may be paying, or if it is paid. */
  deleted_at: string | null;
}

/** How far a payment is, in words. */
export const PAYMENT_STATES: Readonly<Record<string, string>> = {
  not_begun: 'Not paid yet.',
  open: 'Its sender was led to Stripe, and may be paying just now.',
  processing: 'Paid, and the money is on its way, as with a bank debit.',
  unknown: 'Whether it is paid cannot be found out: the workspace is no longer connected to the account.',
};

const setAsideKey = (form: string) => [...responsesKey(form), 'set-aside'] as const;

/** All that is set aside, the latest first, page by page. */
export function useSetAside(form: string, kind: WaitingKind) {
  return useInfiniteQuery({
    queryKey: [...setAsideKey(form), kind, 'list'],
    queryFn: async ({ signal, pageParam }) => {
      const query = {
        per_page: PER_PAGE,
        reason: reasonsOf(kind),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      const path = { form };
      const { data, meta } = await api.get('/open/forms/{form}/submissions/set-aside', {
        path,
        query,
        signal,
      });
      return { rows: data as unknown as SetAsideResponse[], total: meta.total, next: meta.next_cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** How many responses are set aside. */
export const setAsideCountQuery = (form: string, kind: WaitingKind) =>
  queryOptions({
    queryKey: [...setAsideKey(form), kind, 'count'],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1, reason: reasonsOf(kind) };
      const path = { form };
      return (await api.get('/open/forms/{form}/submissions/set-aside', { path, query, signal })).meta.total;
    },
  });

function reasonsOf(kind: WaitingKind): string {
  return WAITING[kind].reasons.join();
}

/** Puts responses among the others. Stops at the first that is refused. */
export function useRelease(formId: string, onDone: (ids: readonly number[]) => void) {
  return useAction(
    async (ids: readonly number[]) => {
      // The oldest first, so that they are numbered in their order.
      for (const setAsideId of ids.toSorted((one, other) => one - other))
        await api.post('/open/forms/{form}/submissions/set-aside/{setAsideId}/release', {
          path: { form: formId, setAsideId },
        });
    },
    {
      ...refreshing(formId),
      toast: (_, ids) => `${formatCount(ids.length, 'response is', 'responses are')} among the others now.`,
      onDone: (_, ids) => onDone(ids),
    },
  );
}
