import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { userQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';

/** Ends the session, and forgets everything it had shown. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useAction(() => api.post('/logout'), {
    onDone: async () => {
      client.setQueryData(userQuery.queryKey, null);
      await navigate({ to: '/sign-in', ignoreBlocker: true });
      client.removeQueries({
        predicate: ({ queryKey }) => queryKey !== userQuery.queryKey && queryKey[0] !== 'user',
      });
    },
  });
}
