import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';

export type FoundPage = Answer<'/open/workspaces/{workspaceId}/people/find', 'post'>;
export type FoundResponse = FoundPage['submissions'][number];

const keyOf = (workspaceId: number) => ['workspaces', workspaceId, 'people'] as const;

/**
 * The last search. Unlike on other screens it is not in the address, because histories keep addresses and it is about a person.
 * It is there again after a look at a response, and forgotten some minutes later or with the page.
 */
export const searchedQuery = (workspaceId: number) =>
  queryOptions<string>({ queryKey: [...keyOf(workspaceId), 'searched'], queryFn: skipToken });

/** What is stored about a person, loaded call by call: each searches for some seconds, or until it has found enough. */
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
    // Not repeated automatically, because every call searches all answers.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
