import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type User, userQuery } from '../api/queries.ts';
import { rememberSignedIn } from '../lib/known.ts';

/** To be called after signing in or registering: clears the data of an earlier user, and waits for the next screen. */
export function useSignedIn(): (user: User, next?: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (user, next = '/') => {
    rememberSignedIn(user.id);
    client.clear();
    client.setQueryData(userQuery.queryKey, user);
    await router.navigate({ href: next });
  };
}
