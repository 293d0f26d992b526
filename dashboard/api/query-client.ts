import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { ApiError, isPassing } from './client.ts';
import { userQuery, workspacesQuery } from './queries.ts';

const MAX_RETRIES = 3;
const STALE_MS = 10_000;

/** @param onSignedOut called when an answer says that the session is over */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    // The role may be another one by now: the screen then says what it lets one do.
    if (error.status === 403)
      void client.invalidateQueries({ queryKey: workspacesQuery.queryKey, exact: true });
    if (error.status !== 401) return;
    if (!client.getQueryData(userQuery.queryKey)) return;
    // Who signs in in another tab can still save it.
    if (isAnythingUnsaved()) return;
    // Asked again by whatever comes next; until then the screen does not fall apart.
    client.removeQueries({ queryKey: userQuery.queryKey });
    onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network nothing waits in silence: it fails at once, and is asked again when the network is back.
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
