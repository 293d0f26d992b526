import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponsesAddress, ResponsesSearch } from '../search.ts';
import type { Columns } from '../table/use-columns.ts';
import { type SavedView, savedViewsQuery, shownFilter, withPart } from './saved-views.ts';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses';

export interface Shown {
  address: ResponsesAddress;
  filter: ResponsesSearch;
  /** All saved views of the form. */
  views: readonly SavedView[];
  /** The one in the address. */
  view: SavedView | undefined;
  /** The address names a view that does not exist, or exists no more. */
  isViewGone: boolean;
  /** Set while the view in the address is not known: there is no filter yet. */
  unknown: { error: Error | null; refetch(): unknown } | null;
  change(part: ResponsesSearch): void;
}

/** What the list shows: the saved view in the address, or the filter there. */
export function useShown(): Shown {
  const { formId } = useParams({ from: ROUTE });
  const address = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses' });
  const { data: views, error, refetch } = useQuery(savedViewsQuery(formId));
  const view = views?.find(({ id }) => id === address.view);
  const filter = useMemo(() => shownFilter(address, view), [address, view]);
  const isUnknown = address.view !== undefined && !address.changed && views === undefined;
  return {
    address,
    filter,
    views: views ?? [],
    view,
    isViewGone: address.view !== undefined && views !== undefined && !view,
    unknown: isUnknown ? { error, refetch } : null,
    change: (part) =>
      void navigate({ to: '.', search: (former) => withPart(former, part, view), replace: true }),
  };
}

/** Whether the open view shows something else than is saved. */
export function isUnsaved({ view, address }: Shown, columns: Columns): boolean {
  return view !== undefined && (address.changed === true || columns.isChanged);
}
