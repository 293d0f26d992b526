import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readAnalyticsSearch } from './analytics/search.ts';
import {
  formQuery,
  invitesQuery,
  membersQuery,
  registrationQuery,
  secondFactorQuery,
  sessionsQuery,
  tokensQuery,
  userQuery,
  workspacesQuery,
} from './api/queries.ts';
import { readIntegrationSearch, readNewIntegration } from './integrations/search.ts';
import { isKnownHere } from './lib/known.ts';
import { readAuditSearch, readFormsSearch, readInvitation, readNext } from './lib/searches.ts';
import { isAtLeast, rememberWorkspace, usualWorkspace } from './lib/workspace.ts';
import { readResponsesSearch } from './responses/search.ts';
import { readSettingsSearch } from './settings/search.ts';
import { readShareSearch } from './share/search.ts';
import { Failure } from './shell/failure.tsx';
import { NothingHere } from './shell/nothing-here.tsx';
import { Shell } from './shell/shell.tsx';
import { Waiting } from './shell/waiting.tsx';

// Every address of the dashboard, in one place. A screen is one file in `routes/` and one entry here: loaded when it is
// opened, its data asked for at the same time.

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: (props) => (
    <main>
      <Failure {...props} />
    </main>
  ),
  notFoundComponent: () => (
    <main>
      <NothingHere />
    </main>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./routes/sign-in.tsx'), 'SignIn'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: readInvitation,
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(registrationQuery),
    ]);
  },
  component: lazyRouteComponent(() => import('./routes/register.tsx'), 'Register'),
});

/** Everything for people who are signed in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    if (await queryClient.ensureQueryData(userQuery)) return;
    const next = location.href === '/' ? {} : { next: location.href };
    if (!isKnownHere()) {
      const { registration } = await queryClient.ensureQueryData(registrationQuery);
      if (registration === 'open' && !next.next) throw redirect({ to: '/register', replace: true });
    }
    throw redirect({ to: '/sign-in', search: next, replace: true });
  },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(workspacesQuery),
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const workspace = usualWorkspace(await queryClient.ensureQueryData(workspacesQuery));
    if (!workspace) throw redirect({ to: '/workspaces', replace: true });
    const params = { workspaceId: String(workspace.id) };
    throw redirect({ to: '/workspaces/$workspaceId/forms', params, replace: true });
  },
});

const workspaces = createRoute({
  getParentRoute: () => app,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./routes/workspaces.tsx'), 'Workspaces'),
});

const workspace = createRoute({
  getParentRoute: () => app,
  path: '/workspaces/$workspaceId',
  beforeLoad: ({ params }) => rememberWorkspace(Number(params.workspaceId)),
});

const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/workspaces/$workspaceId/forms', params, replace: true });
  },
});

const forms = createRoute({
  getParentRoute: () => workspace,
  path: '/forms',
  validateSearch: readFormsSearch,
  component: lazyRouteComponent(() => import('./routes/forms.tsx'), 'Forms'),
});

const form = createRoute({
  getParentRoute: () => workspace,
  path: '/forms/$formId',
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(formQuery(params.formId)),
  component: lazyRouteComponent(() => import('./routes/form.tsx'), 'FormFrame'),
});

const formOverview = createRoute({
  getParentRoute: () => form,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/form-overview.tsx'), 'FormOverview'),
});

const formSettings = createRoute({
  getParentRoute: () => form,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./routes/form-settings.tsx'), 'FormSettings'),
});

const formShare = createRoute({
  getParentRoute: () => form,
  path: '/share',
  validateSearch: readShareSearch,
  component: lazyRouteComponent(() => import('./routes/form-share.tsx'), 'FormShare'),
});

const formIntegrations = createRoute({
  getParentRoute: () => form,
  path: '/integrations',
  component: lazyRouteComponent(() => import('./routes/form-integrations.tsx'), 'FormIntegrations'),
});

const newIntegration = createRoute({
  getParentRoute: () => form,
  path: '/integrations/new',
  validateSearch: readNewIntegration,
  component: lazyRouteComponent(() => import('./routes/form-integration-new.tsx'), 'NewIntegration'),
});

const formIntegration = createRoute({
  getParentRoute: () => form,
  path: '/integrations/$integrationId',
  validateSearch: readIntegrationSearch,
  component: lazyRouteComponent(() => import('./routes/form-integration.tsx'), 'FormIntegration'),
});

const formDelivery = createRoute({
  getParentRoute: () => form,
  path: '/integrations/$integrationId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./routes/form-delivery.tsx'), 'FormDelivery'),
});

const apiGuide = createRoute({
  getParentRoute: () => workspace,
  path: '/api',
  component: lazyRouteComponent(() => import('./routes/api-guide.tsx'), 'ApiGuide'),
});

const formBuild = createRoute({
  getParentRoute: () => form,
  path: '/build',
  component: lazyRouteComponent(() => import('./routes/form-build.tsx'), 'FormBuild'),
});

const formResponses = createRoute({
  getParentRoute: () => form,
  path: '/responses',
  validateSearch: readResponsesSearch,
  component: lazyRouteComponent(() => import('./routes/form-responses.tsx'), 'FormResponses'),
});

const formResponse = createRoute({
  getParentRoute: () => formResponses,
  path: '/$submissionId',
  component: lazyRouteComponent(() => import('./routes/form-response.tsx'), 'FormResponse'),
});

const formAnalytics = createRoute({
  getParentRoute: () => form,
  path: '/analytics',
  validateSearch: readAnalyticsSearch,
  component: lazyRouteComponent(() => import('./routes/form-analytics.tsx'), 'FormAnalytics'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  loader: async ({ context: { queryClient }, params }) => {
    const id = Number(params.workspaceId);
    void queryClient.prefetchQuery(membersQuery(id));
    const all = await queryClient.ensureQueryData(workspacesQuery);
    const role = all.find((one) => one.id === id)?.role ?? 'readonly';
    if (isAtLeast(role, 'admin')) void queryClient.prefetchQuery(invitesQuery(id));
  },
  component: lazyRouteComponent(() => import('./routes/members.tsx'), 'Members'),
});

const auditLog = createRoute({
  getParentRoute: () => workspace,
  path: '/audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./routes/audit-log.tsx'), 'AuditLog'),
});

const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('./routes/workspace-settings.tsx'), 'WorkspaceSettings'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('./routes/account.tsx'), 'AccountFrame'),
});

const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/account-profile.tsx'), 'AccountProfile'),
});

const security = createRoute({
  getParentRoute: () => account,
  path: '/security',
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(sessionsQuery);
    void queryClient.prefetchQuery(secondFactorQuery);
  },
  component: lazyRouteComponent(() => import('./routes/account-security.tsx'), 'AccountSecurity'),
});

const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(tokensQuery),
  component: lazyRouteComponent(() => import('./routes/account-tokens.tsx'), 'AccountTokens'),
});

const routeTree = root.addChildren([
  signIn,
  register,
  app.addChildren([
    home,
    workspaces,
    workspace.addChildren([
      workspaceHome,
      forms,
      form.addChildren([
        formOverview,
        formBuild,
        formResponses.addChildren([formResponse]),
        formAnalytics,
        formSettings,
        formShare,
        formIntegrations,
        newIntegration,
        formIntegration,
        formDelivery,
      ]),
      members,
      auditLog,
      workspaceSettings,
      apiGuide,
    ]),
    account.addChildren([profile, security, tokens]),
  ]),
]);

export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: Failure,
    defaultNotFoundComponent: NothingHere,
    defaultPendingComponent: Waiting,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
