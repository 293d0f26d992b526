import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import { useAction } from '../../api/use-action.ts';
import { openedOf, responsesQuery, showNewest } from '../queries.ts';
import type { Shown } from '../views/use-shown.ts';
import { useNewResponses } from './use-live.ts';

/**
 * The list of responses page by page, and what has arrived since it was opened.
 * @param scrollRef what the list scrolls in
 */
export function useList(
  formId: string,
  { filter, unknown }: Shown,
  scrollRef: RefObject<HTMLDivElement | null>,
) {
  const client = useQueryClient();
  const list = useInfiniteQuery({ ...responsesQuery(formId, filter), enabled: unknown === null });
  const { data, isFetching, fetchNextPage, fetchPreviousPage } = list;
  const { isFetchNextPageError: isLaterLost, isFetchPreviousPageError: isFormerLost } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const opened = openedOf(data);
  const newest = opened && !list.isPlaceholderData ? opened.newest : null;
  const arrived = useNewResponses(formId, filter, newest);
  const onNeedLater = useCallback(() => {
    if (!isFetching && !isLaterLost) void fetchNextPage();
  }, [isFetching, isLaterLost, fetchNextPage]);
  const onNeedFormer = useCallback(() => {
    if (!isFetching && !isFormerLost) void fetchPreviousPage();
  }, [isFetching, isFormerLost, fetchPreviousPage]);
  const showArrived = useAction(() => showNewest(client, formId, filter), {
    onDone: () => scrollRef.current?.scrollTo({ top: 0 }),
  });
  // An empty list can be filled at once, since nothing can jump.
  const isFirst = arrived.count > 0 && rows.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what came first; should it fail, the button is there
  useEffect(() => {
    if (isFirst) showArrived.run();
  }, [isFirst, filter]);
  const { total = 0, isCapped = false } = opened ?? {};
  return { list, rows, total, isCapped, newest, arrived, showArrived, onNeedLater, onNeedFormer };
}
