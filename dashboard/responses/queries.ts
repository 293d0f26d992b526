import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { Answers } from '../../fields/property.ts';
import { type Answer, api } from '../api/client.ts';
import { startOfDay } from '../lib/days.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import type { ResponsesSearch } from './search.ts';

type Sent = Answer<'/open/forms/{form}/submissions/{submissionId}'>;

/** A response of the API, with members that its type leaves open. */
export interface Submission extends Omit<Sent, 'data' | 'files'> {
  data: Answers;
  files?: Record<string, { file_url: string; file_name: string }[]>;
}

/** Ids of responses, or all that match a filter up to the newest known one; later ones are excluded. */
export type MeantResponses = readonly number[] | { filter: ResponsesSearch; newest: number };

/** A response's name in addresses: its number if the reader does not get its id. */
export function nameOf({ submission_id: publicId, id }: Pick<Submission, 'submission_id' | 'id'>): string {
  return publicId ?? String(id);
}

const PER_PAGE = 100;
/** Most pages kept; others are loaded again when scrolling back. */
const MAX_PAGES = 20;
/** Links to files are valid for ten minutes; they are loaded again after half of that. */
const FILES_STALE_MS = 300_000;

/** The position of a page, and what was known at the top of the list. */
export interface Place {
  /** Number of responses before it. */
  start: number;
  /** Cursor of the page; null at the top. */
  cursor: string | null;
  former: Place | null;
  /** Known since the list was opened; null at the top. */
  opened: Opened | null;
}

interface Opened {
  /** Number of matching responses. */
  total: number;
  /** Whether there are more than `total`. */
  isCapped: boolean;
  /** Id of the newest matching response; 0 if there is none. */
  newest: number;
}

export interface ResponsePage {
  rows: Submission[];
  next: string | null;
  /** Only at the top. */
  opened: Opened | null;
}

const TOP: Place = { start: 0, cursor: null, former: null, opened: null };

export const responsesKey = (form: string) => ['submissions', form] as const;

/**
 * The matching responses, by default the newest first. Pages use cursors, so they cost the same at any depth and stay right while
 * new responses arrive. They are not reloaded automatically, so that nothing moves while reading.
 */
export const responsesQuery = (form: string, filter: ResponsesSearch) =>
  infiniteQueryOptions({
    queryKey: [...responsesKey(form), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      pageParam.cursor === null
        ? fetchTop(form, filter, signal)
        : fetchPage(form, filter, { cursor: pageParam.cursor }, signal),
    initialPageParam: TOP,
    getNextPageParam: (page, _all, place): Place | undefined =>
      page.next === null
        ? undefined
        : {
            start: place.start + page.rows.length,
            cursor: page.next,
            former: place,
            opened: page.opened ?? place.opened,
          },
    getPreviousPageParam: (_page, _all, place): Place | undefined => place.former ?? undefined,
    maxPages: MAX_PAGES,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** `250 responses`, `10,000+ responses`. */
export function countOf({ total, isCapped }: Pick<Opened, 'total' | 'isCapped'>): string {
  return isCapped ? `${formatNumber(total)}+ responses` : formatCount(total, 'response');
}

/** What was known when the list was opened. */
export function openedOf(data: InfiniteData<ResponsePage> | undefined): Opened | null {
  return data?.pages[0]?.opened ?? firstPlace(data)?.opened ?? null;
}

/** The position of the first loaded page. */
export function firstPlace(data: InfiniteData<ResponsePage> | undefined): Place | undefined {
  return data?.pageParams[0] as Place | undefined;
}

interface Part {
  cursor?: string;
  /** Only ids below this one. */
  before?: number;
  per_page?: number;
  total?: boolean;
}

/** @throws ApiError also for a search that would take too long; its message says what to narrow */
export async function fetchPage(
  form: string,
  filter: ResponsesSearch,
  part: Part,
  signal?: AbortSignal,
): Promise<ResponsePage> {
  const { data, meta } = await api.get('/open/forms/{form}/submissions', {
    path: { form },
    query: { per_page: PER_PAGE, order: 'desc', ...parametersOf(filter), ...part } as ListQuery,
    ...(signal && { signal }),
  });
  const rows = data as Submission[];
  const {
    total = rows.length,
    total_is_capped: isCapped = false,
    next_cursor: next = null,
  } = meta as CursorMeta;
  const newest = Math.max(0, ...rows.map(({ id }) => id));
  return { rows, next, opened: part.total ? { total, isCapped, newest } : null };
}

async function fetchTop(form: string, filter: ResponsesSearch, signal?: AbortSignal): Promise<ResponsePage> {
  const { sort: _, order: __, ...unsorted } = filter;
  const [page, [newest]] = await Promise.all([
    fetchPage(form, filter, { total: true }, signal),
    filter.sort || filter.order
      ? fetchPage(form, unsorted, { per_page: 1 }, signal).then(({ rows }) => rows)
      : [undefined],
  ]);
  return newest && page.opened ? { ...page, opened: { ...page.opened, newest: newest.id } } : page;
}

type ListQuery = { per_page?: number };
/** From a list by cursor. */
type CursorMeta = { total?: number; total_is_capped?: boolean; next_cursor?: string | null };

/** The filter as the API takes it. */
export function parametersOf({
  status,
  review,
  ending,
  search,
  from,
  to,
  filters = [],
  sort,
  order,
}: ResponsesSearch) {
  return {
    status: status ?? 'completed',
    ...(review && { review }),
    ...(ending && { ending }),
    ...(search && { search }),
    // Whole days in the reader's time zone.
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: startOfDay(to, 1) }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...Object.fromEntries(
      Array.from(
        Map.groupBy(filters, ({ id, operator }) => `filter[${id}][${operator}]`),
        // Addresses leave out parameters without a value, but these operators need none.
        ([key, same]) => [key, same.map(({ value }) => value || '1')],
      ),
    ),
  };
}

/** Loads the newest to the top, keeping the list visible meanwhile. */
export async function showNewest(client: QueryClient, form: string, filter: ResponsesSearch): Promise<void> {
  const page = await fetchTop(form, filter);
  client.setQueryData(responsesQuery(form, filter).queryKey, { pages: [page], pageParams: [TOP] });
}

/** @param id number or UUID */
export const responseQuery = (form: string, id: string) =>
  queryOptions({
    queryKey: [...responsesKey(form), 'one', id],
    queryFn: async ({ signal }) =>
      (await api.get('/open/forms/{form}/submissions/{submissionId}', {
        path: { form, submissionId: id },
        signal,
      })) as Submission,
    staleTime: FILES_STALE_MS,
  });

/** Whether there are responses, partial ones too. */
export const hasAnyQuery = (form: string) =>
  queryOptions({
    queryKey: [...responsesKey(form), 'any'],
    queryFn: async ({ signal }) =>
      (await fetchPage(form, { status: 'all' }, { per_page: 1 }, signal)).rows.length > 0,
  });

/** Replaces a changed response in every list that contains it; `null` removes it. */
export function putIntoLists(
  client: QueryClient,
  form: string,
  ids: ReadonlySet<number>,
  next: Submission | null,
): void {
  client.setQueriesData<{ pages: ResponsePage[]; pageParams: Place[] }>(
    { queryKey: [...responsesKey(form), 'list'] },
    (former) =>
      former && { ...former, pages: former.pages.map((page) => changed(page, former.pages, ids, next)) },
  );
}

function changed(
  page: ResponsePage,
  all: ResponsePage[],
  ids: ReadonlySet<number>,
  next: Submission | null,
): ResponsePage {
  if (next) return { ...page, rows: page.rows.map((row) => (ids.has(row.id) ? next : row)) };
  const gone = all.reduce((sum, { rows }) => sum + rows.filter(({ id }) => ids.has(id)).length, 0);
  const { opened } = page;
  return {
    ...page,
    opened: opened && { ...opened, total: Math.max(opened.total - gone, 0) },
    rows: page.rows.filter(({ id }) => !ids.has(id)),
  };
}
