import Type from 'typebox';
import { Nullable } from './nullable.ts';

const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 100;

/** The `page` and `per_page` of a list. Values out of range are not refused, see `pageOf`. */
export function pageQuery(defaultPerPage: number) {
  return {
    page: Type.Integer({ default: 1 }),
    per_page: Type.Integer({ default: defaultPerPage, description: `From 1 to ${MAX_PER_PAGE}.` }),
  };
}

interface Page {
  page: number;
  /** Items on a page. */
  limit: number;
  /** Items before this page. */
  offset: number;
}

/** Brings values that are out of range into it. */
export function pageOf(query: { page: number; per_page: number }): Page {
  const page = clamp(query.page, MAX_PAGE);
  const limit = clamp(query.per_page, MAX_PER_PAGE);
  return { page, limit, offset: (page - 1) * limit };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 1), max);
}

const Link = Nullable(Type.String());

/** The envelope of a list: `data`, `links`, `meta`. */
export function Paginated<Item extends Type.TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    links: Type.Object({ first: Type.String(), last: Type.String(), prev: Link, next: Link }),
    meta: Type.Object({
      current_page: Type.Integer(),
      from: Nullable(Type.Integer()),
      last_page: Type.Integer(),
      path: Type.String(),
      per_page: Type.Integer(),
      to: Nullable(Type.Integer()),
      total: Type.Integer(),
    }),
  });
}

/**
 * Wraps one page of items.
 * @param url the full address of this page; links keep its other parameters
 * @param total items of all pages together
 */
export function paginated<Item>(url: string, data: Item[], { page, limit, offset }: Page, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const first = offset + 1;
  return {
    data,
    links: {
      first: pageUrl(url, 1),
      last: pageUrl(url, lastPage),
      prev: page > 1 ? pageUrl(url, Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? pageUrl(url, page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length > 0 ? first : null,
      last_page: lastPage,
      path: url.split('?')[0] ?? url,
      per_page: limit,
      to: data.length > 0 ? first + data.length - 1 : null,
      total,
    },
  };
}

interface PartBefore<Item> {
  /** The items of the page, and one more if there is a next page. */
  data: Item[];
  /** There are more items for this page than `data` has. */
  isCut: boolean;
}

/**
 * Wraps a page of items that come after the one that `before` names. Items before them are not counted, which would cost time, so
 * pages have no numbers; `next` goes on by `before`, too.
 * @param total items of the whole list
 */
export function paginatedBefore<Item extends { id: number }>(
  url: string,
  { data, isCut }: PartBefore<Item>,
  { limit }: Page,
  total: number,
) {
  const items = data.slice(0, limit);
  const { links, meta } = paginated(withoutBefore(url), items, { page: 1, limit, offset: 0 }, total);
  const next = new URL(url);
  next.searchParams.delete('page');
  next.searchParams.set('before', String(items.at(-1)?.id));
  return {
    data: items,
    links: { ...links, prev: null, next: isCut || data.length > limit ? next.href : null },
    meta: { ...meta, from: null, last_page: 1, to: null },
  };
}

function withoutBefore(url: string): string {
  const link = new URL(url);
  link.searchParams.delete('before');
  return link.href;
}

function pageUrl(url: string, page: number): string {
  const link = new URL(url);
  link.searchParams.set('page', String(page));
  return link.href;
}
