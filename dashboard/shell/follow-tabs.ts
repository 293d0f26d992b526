import type { QueryClient } from '@tanstack/react-query';
import { refuseCalls } from '../api/client.ts';
import { userQuery } from '../api/queries.ts';
import { KNOWN_KEY } from '../lib/known.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';

const SOMEBODY_ELSE =
  'Somebody else signed in in another tab. Sign in there as yourself again, then try again.';

/**
 * Tabs share the session. When somebody else signs in in another one, or nobody is any more, this tab shows nothing that was
 * the former's and does nothing in another name; what is not saved stays until the former is back.
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
