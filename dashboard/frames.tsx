import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { formQuery, registrationQuery, userQuery, workspacesQuery } from './api/queries.ts';
import { isKnownHere, rememberSignedIn } from './lib/known.ts';
import { lazyScreen } from './lib/lazy-screen.ts';
import { only, readFormsSearch, readInvitation, readNext, readProblem, readStep } from './lib/searches.ts';
import { rememberWorkspace, usualWorkspace } from './lib/workspace.ts';
import { readPrintSearch } from './responses/print-search.ts';
import { Failure } from './shell/failure.tsx';
import { NothingHere } from './shell/nothing-here.tsx';
import { Shell } from './shell/shell.tsx';

// The routes that contain others: outside, the shell, a workspace, a form. The screens inside are in router.tsx.

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
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

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: only((search) => ({ ...readNext(search), ...readStep(search), ...readProblem(search) })),
  component: lazyScreen(() => import('./routes/sign-in.tsx'), 'SignIn'),
});

export const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: only(readInvitation),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(registrationQuery),
    ]);
  },
  component: lazyScreen(() => import('./routes/register.tsx'), 'Register'),
});

/** The screen reads the fragment of a mailed link. */
export const password = createRoute({
  getParentRoute: () => root,
  path: '/password',
  component: lazyScreen(() => import('./routes/password.tsx'), 'Password'),
});

/** The program's request is in the fragment. */
export const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect',
  beforeLoad: requireUser,
  component: lazyScreen(() => import('./routes/connect.tsx'), 'Connect'),
});

interface Opening {
  context: { queryClient: QueryClient };
  location: { href: string };
}

/** Sends visitors who are not signed in to sign in or register first. */
async function requireUser({ context: { queryClient }, location }: Opening): Promise<void> {
  const isStart = queryClient.getQueryData(userQuery.queryKey) === undefined;
  const user = await queryClient.ensureQueryData(userQuery);
  // A user from single sign-on has signed in outside the application, so the other tabs are told now.
  if (user && isStart) rememberSignedIn(user.id);
  if (user) return;
  const next = location.href === '/' ? {} : { next: location.href };
  if (!isKnownHere()) {
    const { registration } = await queryClient.ensureQueryData(registrationQuery);
    if (registration === 'open' && !next.next) throw redirect({ to: '/register', replace: true });
  }
  throw redirect({ to: '/sign-in', search: next, replace: true });
}

/** All screens for signed-in users. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: requireUser,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(workspacesQuery),
  component: Shell,
});

export const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const workspace = usualWorkspace(await queryClient.ensureQueryData(workspacesQuery));
    if (!workspace) throw redirect({ to: '/workspaces', replace: true });
    const params = { workspaceId: String(workspace.id) };
    throw redirect({ to: '/workspaces/$workspaceId/forms', params, replace: true });
  },
});

export const workspaces = createRoute({
  getParentRoute: () => app,
  path: '/workspaces',
  component: lazyScreen(() => import('./routes/workspace/workspaces.tsx'), 'Workspaces'),
});

export const workspace = createRoute({
  getParentRoute: () => app,
  path: '/workspaces/$workspaceId',
  beforeLoad: ({ params }) => rememberWorkspace(Number(params.workspaceId)),
});

export const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/workspaces/$workspaceId/forms', params, replace: true });
  },
});

/** For a screen on which what is open or typed belongs to one workspace. */
export function eachWorkspace({ params }: { params: { workspaceId: string } }): string {
  return params.workspaceId;
}

export const forms = createRoute({
  getParentRoute: () => workspace,
  path: '/forms',
  validateSearch: only(readFormsSearch),
  remountDeps: eachWorkspace,
  component: lazyScreen(() => import('./routes/forms/forms.tsx'), 'Forms'),
});

export const form = createRoute({
  getParentRoute: () => workspace,
  path: '/forms/$formId',
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(formQuery(params.formId)),
  component: lazyScreen(() => import('./routes/form/form.tsx'), 'FormFrame'),
});

/** Without a frame, because it is for paper. */
export const responsesPrint = createRoute({
  getParentRoute: () => root,
  path: '/workspaces/$workspaceId/forms/$formId/print',
  validateSearch: only(readPrintSearch),
  beforeLoad: requireUser,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(workspacesQuery),
  component: lazyScreen(() => import('./routes/form/responses-print.tsx'), 'ResponsesPrint'),
});
