import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { responsesQuery, type Submission } from '../queries.ts';
import type { Shown } from '../views/use-shown.ts';

/** The way to the response before or after the open one. */
interface Way {
  to: Submission | undefined;
  /** Why it leads nowhere; null if it leads somewhere. */
  refusal: string | null;
}

/** The responses beside an open one in the list it was opened from. More of the list is loaded near its ends. */
export function useBeside(formId: string, submissionId: string, { filter, unknown }: Shown) {
  const list = useInfiniteQuery({ ...responsesQuery(formId, filter), enabled: unknown === null });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const index = rows.findIndex(
    (row) => row.submission_id === submissionId || String(row.id) === submissionId,
  );
  const isListed = index >= 0;
  const isNearStart = isListed && index <= 1 && list.hasPreviousPage;
  const isNearEnd = isListed && index >= rows.length - 2 && list.hasNextPage;
  const { fetchNextPage, fetchPreviousPage, isFetching } = list;
  const { isFetchNextPageError: isNextLost, isFetchPreviousPageError: isFormerLost } = list;
  useEffect(() => {
    if (isFetching) return;
    if (isNearEnd && !isNextLost) void fetchNextPage();
    else if (isNearStart && !isFormerLost) void fetchPreviousPage();
  }, [isNearEnd, isNearStart, isFetching, isNextLost, isFormerLost, fetchNextPage, fetchPreviousPage]);

  const wayTo = (at: number, isLast: boolean, isLost: boolean, atEnd: string): Way => {
    const to = isListed ? rows[at] : undefined;
    if (to) return { to, refusal: null };
    if (isFetching) return { to, refusal: 'Loading …' };
    if (!isListed) return { to, refusal: 'The list does not show this response' };
    if (isLast) return { to, refusal: atEnd };
    return { to, refusal: isLost ? 'It could not be loaded' : 'Loading …' };
  };
  return {
    /** The response as the list has it. */
    row: rows[index],
    former: wayTo(index - 1, !list.hasPreviousPage, isFormerLost, 'This is the first'),
    next: wayTo(index + 1, !list.hasNextPage, isNextLost, 'This is the last'),
    /** The list, if more of it is or was to be loaded. */
    list: isNearEnd || isNearStart ? list : null,
  };
}
