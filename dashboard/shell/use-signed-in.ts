import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type User, userQuery } from '../api/queries.ts';
import { rememberSignedIn } from '../lib/known.ts';

/** What follows when somebody has signed in or registered: whatever an earlier person saw is forgotten. */
export function useSignedIn(): (user: User, next?: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (user, next = '/') => {
    rememberSignedIn(user.id);
    client.clear();
    client.setQueryData(userQuery.queryKey, user);
    router.history.push(next);
  };
}
