import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { ApiError, isPassing } from './client.ts';
import { userQuery, workspacesQuery } from './queries.ts';

const MAX_RETRIES = 3;
const STALE_MS = 10_000;

/** The role may have changed: the screen then shows what it allows. To be called for calls that are neither queries nor mutations. */
export function noteRefusal(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 403)
    void client.invalidateQueries({ queryKey: workspacesQuery.queryKey, exact: true });
}

/** @param onSignedOut called when a response says that the session has ended */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    noteRefusal(client, error);
    if (!(error instanceof ApiError) || error.status !== 401) return;
    if (!client.getQueryData(userQuery.queryKey)) return;
    // Signing in in another tab lets the changes be saved here.
    if (isAnythingUnsaved()) return;
    // Loaded again by the next screen; until then this one keeps its data.
    client.removeQueries({ queryKey: userQuery.queryKey });
    onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network queries fail at once instead of waiting unseen, and are sent again when it is back.
      queries: {
        staleTime: STALE_MS,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) => count < MAX_RETRIES && isPassing(error) && navigator.onLine,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}
