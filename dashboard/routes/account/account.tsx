import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { TAB_CLASSES, TabBar } from '../../ui/tabs.tsx';

const SCREENS = [
  { name: 'Profile', to: '/account' },
  { name: 'Security', to: '/account/security' },
  { name: 'Access tokens', to: '/account/tokens' },
] as const;

/** The frame of all account screens. */
export function AccountFrame() {
  const matches = useMatchRoute();
  const screen = SCREENS.find(({ to }) => matches({ to }) !== false);
  return (
    <Page title={[screen?.name, 'Account'].filter(Boolean).join(' · ')} heading="Account" width="narrow">
      <TabBar label="Account" className="mb-6">
        {SCREENS.map(({ name, to }) => (
          <Link key={name} to={to} activeOptions={{ exact: to === '/account' }} className={TAB_CLASSES}>
            {name}
          </Link>
        ))}
      </TabBar>
      <Outlet />
    </Page>
  );
}
