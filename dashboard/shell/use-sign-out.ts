import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { userQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { rememberSignedIn } from '../lib/known.ts';

/**
 * Ends the session, and clears all data.
 * @param stays whether the screen is also for visitors who are not signed in
 */
export function useSignOut({ stays = false } = {}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useAction(() => api.post('/logout'), {
    onDone: async () => {
      rememberSignedIn(null);
      if (!stays) await navigate({ to: '/sign-in', ignoreBlocker: true });
      client.setQueryData(userQuery.queryKey, null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
    },
  });
}
