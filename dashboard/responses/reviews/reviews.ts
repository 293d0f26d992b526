import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, ApiError, api } from '../../api/client.ts';
import { inBatches } from '../batches.ts';
import {
  fetchPage,
  type MeantResponses,
  type Place,
  type ResponsePage,
  responsesKey,
  type Submission,
} from '../queries.ts';
import { recount } from '../recount.ts';
import type { ReviewState } from './review-states.ts';

/** The review state of a response. */
export interface ReviewMark {
  /** Id of the response. */
  id: number;
  state: ReviewState;
  /** Number of notes. */
  notes: number;
}

export type ReviewEntry = Answer<'/open/forms/{form}/submissions/{submissionId}/review'>['history'][number];

/** Responses per call; each call succeeds or fails as a whole. */
const PER_CALL = 500;
/** Most responses loaded one by one; more would exceed the calls a user may make per minute. */
const MAX_ASKED = 300;
const AT_ONCE = 6;

/** Replaces the service's message, which gives positions in the sent list. */
const NOT_ALL =
  'Some of these responses were deleted meanwhile, or have too long a history. Load the page again to see them as they are.';

const NOT_SHOWN =
  'Too many of these responses are not in the list any more. Select fewer, or select them again.';

const historiesKey = (form: string) => [...responsesKey(form), 'review'] as const;

/** Whether any response of a form was decided or commented on. */
export const isReviewedQuery = (form: string) =>
  queryOptions({
    queryKey: [...responsesKey(form), 'is-reviewed'],
    queryFn: async ({ signal }) => {
      const counts = await api.get('/open/forms/{form}/submissions/reviews', { path: { form }, signal });
      return counts.has_issues + counts.approved + counts.rejected + counts.noted > 0;
    },
  });

/** Decisions and notes about a response, the earliest first. */
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

/** The review state of a response; `received` by default. */
export function stateOf({ review }: Pick<Submission, 'review'>): ReviewState {
  return review?.state ?? 'received';
}

/** Adds to the history of a response, and updates it wherever it is shown. */
export async function addToHistory(
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
  if ('state' in said) void recount(client, form);
}

/**
 * Sets the state of several responses, and updates the lists.
 * @param onlyFrom responses that have another state than this meanwhile stay as they are
 * @returns how many have a new state
 */
export async function decide(
  client: QueryClient,
  form: string,
  ids: readonly number[],
  state: ReviewState,
  onlyFrom?: ReviewState,
): Promise<number> {
  let count = 0;
  for (const some of inBatches(ids, PER_CALL)) {
    const { changed } = await api
      .put('/open/forms/{form}/submissions/reviews', {
        path: { form },
        body: { submissionIds: some, state, ...(onlyFrom && { only_from: onlyFrom }) },
      })
      .catch((error: unknown) => {
        throw error instanceof ApiError && error.status === 422 ? new Error(NOT_ALL) : error;
      });
    const rows = knownRows(client, form);
    putReviews(
      client,
      form,
      some.map((id) => ({ id, state, notes: rows.get(id)?.review?.notes ?? 0 })),
    );
    count += changed;
    // Which of them stayed as they are is known to the service alone.
    if (onlyFrom && changed < some.length)
      void client.invalidateQueries({ queryKey: responsesKey(form), type: 'active' });
  }
  void recount(client, form);
  return count;
}

/** The present states by response id, to undo a decision that is about to be made. */
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

/** The list drops pages that were scrolled away, so the states of missing responses are loaded. */
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

/** Updates review states without loading the responses again, so that nothing moves while reading. */
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
  // Inactive lists may have filters that match other responses now.
  void client.invalidateQueries({ queryKey: lists, type: 'inactive', refetchType: 'none' });
  client.setQueriesData<Submission>(
    {
      queryKey: [...responsesKey(form), 'one'],
      // Only cached responses concerned, because written data counts as freshly loaded.
      predicate: ({ state: { data } }) => reviews.has((data as Submission | undefined)?.id ?? 0),
    },
    (former) => former && reviewed(former),
  );
  // Set directly if anything was decided or noted; loading it after every decision would be slow for a form with a million
  // responses.
  if (marks.some(({ state, notes }) => state !== 'received' || notes > 0))
    client.setQueryData(isReviewedQuery(form).queryKey, true);
  else void client.invalidateQueries({ queryKey: isReviewedQuery(form).queryKey });
  void client.invalidateQueries({
    queryKey: historiesKey(form),
    predicate: ({ queryKey }) => reviews.has(Number(queryKey.at(-1))),
  });
}

/** Loaded responses by id; those shown at present take precedence. */
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
