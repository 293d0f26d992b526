import Type from 'typebox';

/** The `page` and `per_page` of a list, within its limits. */
export function pageQuery(defaultPerPage: number) {
  return {
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultPerPage })),
  };
}

const Link = Type.Union([Type.String(), Type.Null()]);

/** The envelope of a list: `data`, `links`, `meta`. */
export function Paginated<Item extends Type.TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    links: Type.Object({ first: Type.String(), last: Type.String(), prev: Link, next: Link }),
    meta: Type.Object({
      current_page: Type.Integer(),
      from: Type.Union([Type.Integer(), Type.Null()]),
      last_page: Type.Integer(),
      path: Type.String(),
      per_page: Type.Integer(),
      to: Type.Union([Type.Integer(), Type.Null()]),
      total: Type.Integer(),
    }),
  });
}

/**
 * Wraps one page of items.
 * @param url the full address of this page; its other parameters are kept in the links
 * @param total items of all pages together
 */
export function paginated<Item>(url: string, data: Item[], page: number, perPage: number, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const first = (page - 1) * perPage + 1;
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
      per_page: perPage,
      to: data.length > 0 ? first + data.length - 1 : null,
      total,
    },
  };
}

function pageUrl(url: string, page: number): string {
  const link = new URL(url);
  link.searchParams.set('page', String(page));
  return link.href;
}
