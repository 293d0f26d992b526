import type { QueryClient } from '@tanstack/react-query';
import { refuseCalls } from '../api/client.ts';
import { userQuery } from '../api/queries.ts';
import { KNOWN_KEY } from '../lib/known.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';

const SOMEBODY_ELSE =
  'Somebody else signed in in another tab. Sign in there as yourself again, then try again.';

/**
 * Tabs share the session. When another user signs in in another tab, or the user signs out, this tab stops showing the former
 * user's data and makes no calls in another name; unsaved changes stay until the former user is back.
 */
export function followOtherTabs(client: QueryClient): void {
  window.addEventListener('storage', ({ key, newValue: signedIn }) => {
    const user = client.getQueryData(userQuery.queryKey);
    if (key !== KNOWN_KEY || !user) return;
    const isSame = signedIn === String(user.id);
    refuseCalls(signedIn && !isSame ? SOMEBODY_ELSE : null);
    if (!isSame && !isAnythingUnsaved()) window.location.reload();
  });
}
