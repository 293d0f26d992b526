import { Link, Outlet } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { TAB_CLASSES, TabBar } from '../ui/tabs.tsx';

/** What the screens about oneself have in common. */
export function AccountFrame() {
  return (
    <Page title="Account" width="narrow">
      <TabBar label="Account" className="mb-6">
        <Link to="/account" activeOptions={{ exact: true }} className={TAB_CLASSES}>
          Profile
        </Link>
        <Link to="/account/security" className={TAB_CLASSES}>
          Security
        </Link>
        <Link to="/account/tokens" className={TAB_CLASSES}>
          Access tokens
        </Link>
      </TabBar>
      <Outlet />
    </Page>
  );
}
