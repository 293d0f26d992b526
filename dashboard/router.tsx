import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { readAnalyticsSearch } from './analytics/search.ts';
import { formPaid, formResponsesTrash, formSetAside, formUnconfirmed, formUnpaid } from './apart-routes.ts';
import {
  invitesQuery,
  membersQuery,
  secondFactorQuery,
  sessionsQuery,
  singleSignOnQuery,
  tokensQuery,
  workspacesQuery,
} from './api/queries.ts';
import { readBuildSearch } from './form-builder/search.ts';
import {
  app,
  connect,
  eachWorkspace,
  form,
  forms,
  home,
  password,
  register,
  responsesPrint,
  root,
  signIn,
  workspace,
  workspaceHome,
  workspaces,
} from './frames.tsx';
import { readHistorySearch } from './history/search.ts';
import { readIntegrationSearch, readNewIntegration } from './integrations/search.ts';
import { lazyScreen } from './lib/lazy-screen.ts';
import { only, readAuditSearch, readProblem } from './lib/searches.ts';
import { isAtLeast } from './lib/workspace.ts';
import { readOverviewSearch } from './overview/search.ts';
import { readResponsesAddress } from './responses/search.ts';
import { savedViewsQuery } from './responses/views/saved-views.ts';
import { readSettingsSearch } from './settings/search.ts';
import { readShareSearch } from './share/search.ts';
import { Failure } from './shell/failure.tsx';
import { NothingHere } from './shell/nothing-here.tsx';
import { Waiting } from './shell/waiting.tsx';

// All addresses of the dashboard. Each screen is one file in `routes/` and one entry here; it is loaded when opened, together
// with its data.

const formOverview = createRoute({
  getParentRoute: () => form,
  path: '/',
  component: lazyScreen(() => import('./routes/form/overview.tsx'), 'FormOverview'),
});

const formSettings = createRoute({
  getParentRoute: () => form,
  path: '/settings',
  validateSearch: only(readSettingsSearch),
  component: lazyScreen(() => import('./routes/form/settings.tsx'), 'FormSettings'),
});

const formShare = createRoute({
  getParentRoute: () => form,
  path: '/share',
  validateSearch: only(readShareSearch),
  component: lazyScreen(() => import('./routes/form/share.tsx'), 'FormShare'),
});

const formIntegrations = createRoute({
  getParentRoute: () => form,
  path: '/integrations',
  component: lazyScreen(() => import('./routes/form/integrations.tsx'), 'FormIntegrations'),
});

const newIntegration = createRoute({
  getParentRoute: () => form,
  path: '/integrations/new',
  validateSearch: only(readNewIntegration),
  component: lazyScreen(() => import('./routes/form/integration-new.tsx'), 'NewIntegration'),
});

const formIntegration = createRoute({
  getParentRoute: () => form,
  path: '/integrations/$integrationId',
  validateSearch: only(readIntegrationSearch),
  component: lazyScreen(() => import('./routes/form/integration.tsx'), 'FormIntegration'),
});

const formDelivery = createRoute({
  getParentRoute: () => form,
  path: '/integrations/$integrationId/deliveries/$deliveryId',
  component: lazyScreen(() => import('./routes/form/delivery.tsx'), 'FormDelivery'),
});

const apiGuide = createRoute({
  getParentRoute: () => workspace,
  path: '/api',
  component: lazyScreen(() => import('./routes/workspace/api-guide.tsx'), 'ApiGuide'),
});

const formBuild = createRoute({
  getParentRoute: () => form,
  path: '/build',
  validateSearch: only(readBuildSearch),
  component: lazyScreen(() => import('./routes/form/build.tsx'), 'FormBuild'),
});

const formHistory = createRoute({
  getParentRoute: () => form,
  path: '/build/history',
  validateSearch: only(readHistorySearch),
  component: lazyScreen(() => import('./routes/form/history.tsx'), 'FormHistory'),
});

const formScenarios = createRoute({
  getParentRoute: () => form,
  path: '/build/scenarios',
  component: lazyScreen(() => import('./routes/form/scenarios.tsx'), 'FormScenarios'),
});

const formResponses = createRoute({
  getParentRoute: () => form,
  path: '/responses',
  validateSearch: only(readResponsesAddress),
  // The screen begins with the saved views: shown later, they would push the table down.
  loader: ({ context: { queryClient }, params }) =>
    queryClient.ensureQueryData(savedViewsQuery(params.formId)).catch(() => {}),
  component: lazyScreen(() => import('./routes/form/responses.tsx'), 'FormResponses'),
});

const formResponse = createRoute({
  getParentRoute: () => formResponses,
  path: '/$submissionId',
  component: lazyScreen(() => import('./routes/form/response.tsx'), 'FormResponse'),
});

const formAnalytics = createRoute({
  getParentRoute: () => form,
  path: '/analytics',
  validateSearch: only(readAnalyticsSearch),
  component: lazyScreen(() => import('./routes/form/analytics.tsx'), 'FormAnalytics'),
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/overview',
  validateSearch: only(readOverviewSearch),
  remountDeps: eachWorkspace,
  component: lazyScreen(() => import('./routes/workspace/overview.tsx'), 'Overview'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  remountDeps: eachWorkspace,
  loader: async ({ context: { queryClient }, params }) => {
    const id = Number(params.workspaceId);
    void queryClient.prefetchQuery(membersQuery(id));
    const all = await queryClient.ensureQueryData(workspacesQuery);
    const role = all.find((one) => one.id === id)?.role ?? 'readonly';
    if (isAtLeast(role, 'admin')) void queryClient.prefetchQuery(invitesQuery(id));
  },
  component: lazyScreen(() => import('./routes/members/members.tsx'), 'Members'),
});

const auditLog = createRoute({
  getParentRoute: () => workspace,
  path: '/audit-log',
  validateSearch: only(readAuditSearch),
  component: lazyScreen(() => import('./routes/workspace/audit-log.tsx'), 'AuditLog'),
});

const personalData = createRoute({
  getParentRoute: () => workspace,
  path: '/personal-data',
  component: lazyScreen(() => import('./routes/workspace/personal-data.tsx'), 'PersonalData'),
});

const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  remountDeps: eachWorkspace,
  component: lazyScreen(() => import('./routes/workspace/settings.tsx'), 'WorkspaceSettings'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyScreen(() => import('./routes/account/account.tsx'), 'AccountFrame'),
});

const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyScreen(() => import('./routes/account/profile.tsx'), 'AccountProfile'),
});

/** The screen reads the fragment of a mailed link. */
const confirmEmail = createRoute({
  getParentRoute: () => account,
  path: '/email',
  component: lazyScreen(() => import('./routes/account/email.tsx'), 'ConfirmEmail'),
});

const security = createRoute({
  getParentRoute: () => account,
  path: '/security',
  validateSearch: only(readProblem),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(sessionsQuery);
    void queryClient.prefetchQuery(secondFactorQuery);
    void queryClient.prefetchQuery(singleSignOnQuery);
  },
  component: lazyScreen(() => import('./routes/account/security.tsx'), 'AccountSecurity'),
});

const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(tokensQuery),
  component: lazyScreen(() => import('./routes/account/tokens.tsx'), 'AccountTokens'),
});

const routeTree = root.addChildren([
  signIn,
  register,
  password,
  connect,
  responsesPrint,
  app.addChildren([
    home,
    workspaces,
    workspace.addChildren([
      workspaceHome,
      overview,
      forms,
      form.addChildren([
        formOverview,
        formBuild,
        formHistory,
        formScenarios,
        formResponses.addChildren([formResponse]),
        formResponsesTrash,
        formSetAside,
        formUnconfirmed,
        formUnpaid,
        formPaid,
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
      personalData,
      workspaceSettings,
      apiGuide,
    ]),
    account.addChildren([profile, confirmEmail, security, tokens]),
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
