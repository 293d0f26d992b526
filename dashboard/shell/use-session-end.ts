import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { userQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { rememberSignedIn } from '../lib/known.ts';

const SIGN_IN = '/sign-in';

interface Ending {
  /** Whether the screen is also for visitors who are not signed in. */
  stays?: boolean;
  /** Message shown after it. */
  toast?: string;
}

/** An action that ends the session: it leaves what only the user may see, and clears all data. */
export function useSessionEnd<Input = void>(
  end: (input: Input) => Promise<unknown>,
  { stays = false, ...options }: Ending = {},
) {
  const client = useQueryClient();
  const router = useRouter();
  return useAction(
    async (input: Input) => {
      // Whoever presses a link while the next screen is being loaded comes to screens that need the user.
      if (!stays) await router.preloadRoute({ to: SIGN_IN });
      await end(input);
    },
    {
      ...options,
      onDone: async () => {
        // Makes other tabs stop showing the account.
        rememberSignedIn(null);
        while (!stays && router.state.location.pathname !== SIGN_IN)
          await router.navigate({ to: SIGN_IN, ignoreBlocker: true });
        client.setQueryData(userQuery.queryKey, null);
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
      },
    },
  );
}
