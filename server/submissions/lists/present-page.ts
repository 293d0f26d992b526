import type { ListPage } from './list-submissions.ts';

/** Wraps one page of a list by cursor. @param url the full address of this page; its other parameters stay in the links */
export function presentListPage<Item>(
  url: string,
  data: Item[],
  { next, prev, total }: Omit<ListPage, 'rows'>,
  perPage: number,
) {
  return {
    data,
    links: { prev: pageUrl(url, prev), next: pageUrl(url, next) },
    meta: {
      path: url.split('?')[0] ?? url,
      per_page: perPage,
      ...(total && { total: total.count, total_is_capped: total.isCapped }),
      next_cursor: next,
      prev_cursor: prev,
    },
  };
}

function pageUrl(url: string, cursor: string | null): string | null {
  if (cursor === null) return null;
  const link = new URL(url);
  link.searchParams.set('cursor', cursor);
  return link.href;
}
