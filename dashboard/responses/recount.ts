import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { fetchPage, openedOf, type Place, type ResponsePage, responsesKey } from './queries.ts';
import type { ResponsesSearch } from './search.ts';

/** How many match a filter now; without its sorting, which costs time and may be refused. */
export async function countMatching(
  form: string,
  { sort: _, order: __, ...filter }: ResponsesSearch,
  part: { before?: number } = {},
  signal?: AbortSignal,
) {
  return (await fetchPage(form, filter, { per_page: 1, total: true, ...part }, signal)).opened;
}

/** After decisions: in lists filtered by them rows stay in place, so that nothing moves while reading, but fewer or more match. */
export async function recount(client: QueryClient, form: string): Promise<void> {
  const shown = client.getQueryCache().findAll({ queryKey: [...responsesKey(form), 'list'], type: 'active' });
  for (const { queryKey } of shown) {
    const filter = queryKey.at(-1) as ResponsesSearch;
    const opened = openedOf(client.getQueryData<List>(queryKey));
    if (!filter.review || !opened) continue;
    // Without an answer the count stays as it was.
    const now = await countMatching(form, filter, { before: opened.newest + 1 }).catch(() => null);
    if (now) client.setQueryData<List>(queryKey, (list) => list && withTotal(list, now));
  }
}

type List = InfiniteData<ResponsePage>;

function withTotal(
  list: List,
  { total, isCapped }: Pick<NonNullable<Place['opened']>, 'total' | 'isCapped'>,
): List {
  const counted = <Part extends Pick<Place, 'opened'>>(part: Part): Part =>
    part.opened ? { ...part, opened: { ...part.opened, total, isCapped } } : part;
  return { pages: list.pages.map(counted), pageParams: (list.pageParams as Place[]).map(counted) };
}
