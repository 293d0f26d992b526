import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, ApiError, api } from '../api/client.ts';
import { inBatches } from './batches.ts';
import {
  fetchPage,
  type MeantResponses,
  type Place,
  type ResponsePage,
  responsesKey,
  type Submission,
} from './queries.ts';
import type { ReviewState } from './review-states.ts';

/** Where a response stands now. */
export interface ReviewMark {
  /** Of the response. */
  id: number;
  state: ReviewState;
  /** How many there are. */
  notes: number;
}

export type ReviewEntry = Answer<'/open/forms/{form}/submissions/{submissionId}/review'>['history'][number];

/** Responses per call; each call is all or nothing. */
const PER_CALL = 500;
/** Responses that are asked for one by one; more would be more calls than a person has in a minute. */
const MAX_ASKED = 300;
const AT_ONCE = 6;

/** Better than the places in the list that was sent. */
const NOT_ALL =
  'Some of these responses were deleted meanwhile, or have too long a history. Load the page again to see them as they are.';

const NOT_SHOWN =
  'Too many of these responses are not in the list any more. Select fewer, or select them again.';

const historiesKey = (form: string) => [...responsesKey(form), 'review'] as const;

/** Whether anybody has decided or noted anything about the responses of a form. */
export const isReviewedQuery = (form: string) =>
  queryOptions({
    queryKey: [...responsesKey(form), 'is-reviewed'],
    queryFn: async ({ signal }) => {
      const counts = await api.get('/open/forms/{form}/submissions/reviews', { path: { form }, signal });
      return counts.has_issues + counts.approved + counts.rejected + counts.noted > 0;
    },
  });

/** What was decided and noted about a response, the first first. */
export const historyQuery = (form: string, id: number) =>
  queryOptions({
    queryKey: [...historiesKey(form), id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/open/forms/{form}/submissions/{submissionId}/review', {
          path: { form, submissionId: id },
          signal,
        })
      ).history,
  });

/** Where a response stands; `received` until somebody says something else. */
export function stateOf({ review }: Pick<Submission, 'review'>): ReviewState {
  return review?.state ?? 'received';
}

/** Adds to the history of a response, and shows it wherever the response is shown. */
export async function sayOf(
  client: QueryClient,
  form: string,
  id: number,
  said: { state: ReviewState } | { note: string },
): Promise<void> {
  const { review } = await api.post('/open/forms/{form}/submissions/{submissionId}/review', {
    path: { form, submissionId: id },
    body: said,
  });
  putReviews(client, form, [{ id, ...review }]);
}

/** Decides about several responses, and shows it in the lists. */
export async function decide(
  client: QueryClient,
  form: string,
  ids: readonly number[],
  state: ReviewState,
): Promise<void> {
  for (const some of inBatches(ids, PER_CALL)) {
    await api
      .put('/open/forms/{form}/submissions/reviews', { path: { form }, body: { submissionIds: some, state } })
      .catch((error: unknown) => {
        throw error instanceof ApiError && error.status === 422 ? new Error(NOT_ALL) : error;
      });
    const rows = knownRows(client, form);
    putReviews(
      client,
      form,
      some.map((id) => ({ id, state, notes: rows.get(id)?.review?.notes ?? 0 })),
    );
  }
}

/** Where responses stand, by their ids: to take back what is about to be decided. */
export async function findStates(
  client: QueryClient,
  form: string,
  what: MeantResponses,
): Promise<Map<number, ReviewState>> {
  if (!('newest' in what)) return statesOf(form, what, knownRows(client, form));
  const before = what.newest + 1;
  const states = new Map<number, ReviewState>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await fetchPage(form, what.filter, { before, ...(cursor && { cursor }) });
    for (const row of page.rows) states.set(row.id, stateOf(row));
    cursor = page.next;
  }
  return states;
}

/** The list lets go of pages that were scrolled away from, and begins anew where something is new: of those the service is asked. */
async function statesOf(
  form: string,
  ids: readonly number[],
  rows: ReadonlyMap<number, Submission>,
): Promise<Map<number, ReviewState>> {
  if (ids.filter((id) => !rows.has(id)).length > MAX_ASKED) throw new Error(NOT_SHOWN);
  const states = new Map<number, ReviewState>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE).map(async (id) => rows.get(id) ?? fetchOne(form, id));
    for (const row of await Promise.all(some)) states.set(row.id, stateOf(row));
  }
  return states;
}

async function fetchOne(form: string, id: number): Promise<Submission> {
  const path = { form, submissionId: id };
  const found = api.get('/open/forms/{form}/submissions/{submissionId}', { path });
  return (await found.catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? new Error(NOT_ALL) : error;
  })) as Submission;
}

/** Shows how responses stand, without asking for them again: nothing moves under the reader. */
export function putReviews(client: QueryClient, form: string, marks: readonly ReviewMark[]): void {
  const reviews = new Map(marks.map(({ id, ...review }) => [id, review]));
  const reviewed = <Row extends Submission>(row: Row): Row => {
    const review = reviews.get(row.id);
    return review ? { ...row, review } : row;
  };
  const lists = [...responsesKey(form), 'list'];
  client.setQueriesData<{ pages: ResponsePage[]; pageParams: Place[] }>(
    { queryKey: lists },
    (former) =>
      former && {
        ...former,
        pages: former.pages.map((page) => ({ ...page, rows: page.rows.map(reviewed) })),
      },
  );
  // Others may fit the filters of lists that were left.
  void client.invalidateQueries({ queryKey: lists, type: 'inactive', refetchType: 'none' });
  client.setQueriesData<Submission>(
    {
      queryKey: [...responsesKey(form), 'one'],
      // Whatever is written counts as asked for just now.
      predicate: ({ state: { data } }) => reviews.has((data as Submission | undefined)?.id ?? 0),
    },
    (former) => former && reviewed(former),
  );
  // Where something is told there is something; asked at every decision, a form with a million of them would be slow.
  if (marks.some(({ state, notes }) => state !== 'received' || notes > 0))
    client.setQueryData(isReviewedQuery(form).queryKey, true);
  else void client.invalidateQueries({ queryKey: isReviewedQuery(form).queryKey });
  void client.invalidateQueries({
    queryKey: historiesKey(form),
    predicate: ({ queryKey }) => reviews.has(Number(queryKey.at(-1))),
  });
}

/** The responses that are loaded, alone or in lists, by their ids; as they are shown where they are shown. */
export function knownRows(client: QueryClient, form: string): Map<number, Submission> {
  const rows = (['inactive', 'active'] as const).flatMap((type) => {
    const ones = client.getQueriesData<Submission>({ queryKey: [...responsesKey(form), 'one'], type });
    const lists = client.getQueriesData<{ pages: ResponsePage[] }>({
      queryKey: [...responsesKey(form), 'list'],
      type,
    });
    return [
      ...ones.flatMap(([, row]) => row ?? []),
      ...lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.rows) ?? []),
    ];
  });
  return new Map(rows.map((row) => [row.id, row]));
}
