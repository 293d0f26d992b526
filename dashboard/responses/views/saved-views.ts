import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../api/client.ts';
import { isSame } from '../../lib/is-same.ts';
import { type ResponsesAddress, type ResponsesSearch, readResponsesSearch } from '../search.ts';

export type SavedView = Answer<'/open/forms/{form}/saved-views'>[number];
type Definition = SavedView['definition'];

/** Oldest first. */
export const savedViewsQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'saved-views'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/saved-views', { path: { form }, signal }),
  });

/** The filter with which the list shows what a view says. */
function filterOf({ sort, ...definition }: Definition): ResponsesSearch {
  return readResponsesSearch({ ...definition, ...(sort !== 'created_at' && { sort }) });
}

/** What a view has to say so that it shows this. @param columns null for the usual ones */
export function definitionOf(filter: ResponsesSearch, columns: string[] | null): Definition {
  return {
    status: filter.status ?? 'completed',
    review: filter.review ?? null,
    ending: filter.ending ?? null,
    search: filter.search ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    filters: filter.filters ?? [],
    sort: filter.sort ?? 'created_at',
    order: filter.order ?? 'desc',
    columns,
  };
}

/** The filter that an address means. @param view the saved view in it, if there is one */
export function shownFilter(
  { view: _, changed, ...filter }: ResponsesAddress,
  view: SavedView | undefined,
): ResponsesSearch {
  return view && !changed ? filterOf(view.definition) : filter;
}

/** The address with a part of its filter changed. It is that of the view again once it shows the same. */
export function withPart(
  former: ResponsesAddress,
  part: ResponsesSearch,
  view: SavedView | undefined,
): ResponsesAddress {
  const filter = readResponsesSearch({ ...shownFilter(former, view), ...part });
  if (!view) return filter;
  return isSame(filter, filterOf(view.definition))
    ? { view: view.id }
    : { ...filter, view: view.id, changed: true };
}
