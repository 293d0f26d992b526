import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { ApiError, isPassing } from './client.ts';
import { userQuery } from './queries.ts';

const MAX_RETRIES = 3;
const STALE_MS = 10_000;

/** @param onSignedOut called when an answer says that the session is over */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    if (!client.getQueryData(userQuery.queryKey)) return;
    // Who signs in in another tab can still save it.
    if (isAnythingUnsaved()) return;
    client.setQueryData(userQuery.queryKey, null);
    onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: (count, error) => count < MAX_RETRIES && isPassing(error) },
      mutations: { retry: false },
    },
  });
  return client;
}
