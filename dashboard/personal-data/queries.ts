import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';

export type FoundPage = Answer<'/open/workspaces/{workspaceId}/people/find', 'post'>;
export type FoundResponse = FoundPage['submissions'][number];

const keyOf = (workspaceId: number) => ['workspaces', workspaceId, 'people'] as const;

/**
 * What was searched last. Not in the address, as of other screens: it is about a person, and histories keep addresses. Here it is
 * there again for whoever looked at a response and comes back, and gone some minutes later or with the page.
 */
export const searchedQuery = (workspaceId: number) =>
  queryOptions<string>({ queryKey: [...keyOf(workspaceId), 'searched'], queryFn: skipToken });

/** What is stored of a person, a call at a time: each looks on for some seconds, or until it has found enough. */
export const personQuery = (workspaceId: number, value: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), 'found', value],
    queryFn: ({ pageParam, signal }) =>
      api.post('/open/workspaces/{workspaceId}/people/find', {
        path: { workspaceId },
        body: { value, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    // Every call looks at every answer.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
