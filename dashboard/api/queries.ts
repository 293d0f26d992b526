import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { startOfDay } from '../lib/days.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { type Answer, ApiError, api } from './client.ts';
import { keepWithin } from './keep-within.ts';

export type User = Answer<'/user'>;
export type Workspace = Answer<'/open/workspaces'>[number];
export type Role = Workspace['role'];
export type Member = Answer<'/open/workspaces/{workspaceId}/users'>[number];
export type Invite = Answer<'/open/workspaces/{workspaceId}/invites'>[number];
export type PaymentAccount = NonNullable<Answer<'/open/workspaces/{workspaceId}/payments'>['payments']>;
export type MailServer = NonNullable<Answer<'/open/workspaces/{workspaceId}/mail-server'>['mail_server']>;
export type FormSummary = Answer<'/open/workspaces/{workspaceId}/forms'>['data'][number];
export type Form = Answer<'/open/forms/{form}'>;
export type Token = Answer<'/settings/tokens'>[number];
export type Session = Answer<'/settings/sessions'>[number];
export type Picture = Answer<'/open/workspaces/{workspaceId}/pictures'>[number];
export type AuditEvent = Answer<'/open/workspaces/{workspaceId}/audit-log'>[number];

/** The signed-in user; null if nobody is. Signing in again in another tab lets open changes be saved here. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await api.get('/user', { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && !isAnythingUnsaved()) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => api.get('/registration', { signal }),
});

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.get('/open/workspaces', { signal }),
  staleTime: 30_000,
});

export const membersQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'members'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/users', { path: { workspaceId }, signal }),
  });

export const invitesQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'invites'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/invites', { path: { workspaceId }, signal }),
  });

export const mailServerQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'mail-server'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/mail-server', { path: { workspaceId }, signal }),
  });

export const paymentsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'payments'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/payments', { path: { workspaceId }, signal }),
  });

export const picturesQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'pictures'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/pictures', { path: { workspaceId }, signal }),
  });

export interface FormsFilter {
  page?: number | undefined;
  search?: string | undefined;
  tag?: string | undefined;
  visibility?: 'public' | 'draft' | 'closed' | 'trash' | undefined;
  /** Sorted by last change by default. Latest, most, or letter A first. */
  sort?: 'last_submission_at' | 'submissions_count' | 'title' | undefined;
}

const FORMS_PER_PAGE = 25;

export const formsQuery = (
  workspaceId: number,
  { page = 1, search, tag, visibility, sort }: FormsFilter = {},
) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'forms', { page, search, tag, visibility, sort }],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/forms', {
        path: { workspaceId },
        query: {
          page,
          per_page: FORMS_PER_PAGE,
          ...(search && { search }),
          ...(tag && { tag }),
          ...(visibility === 'trash' ? { status: visibility } : visibility && { visibility }),
          ...(sort && { sort, order: sort === 'title' ? 'asc' : 'desc' }),
        },
        signal,
      }),
    placeholderData: keepWithin(workspaceId),
  });

/** Keys to load again after a form was changed: the form, and the lists of its workspace. */
export const keysOfForm = ({ id, workspace_id }: Pick<FormSummary, 'id' | 'workspace_id'>) => [
  formQuery(id).queryKey,
  ['workspaces', workspace_id, 'forms'],
];

/** @param form numeric id, slug or UUID */
export const formQuery = (form: number | string) =>
  queryOptions({
    queryKey: ['forms', String(form)],
    queryFn: ({ signal }) => api.get('/open/forms/{form}', { path: { form }, signal }),
  });

/** How often each option with a limit was chosen; loaded again while the screen is open. */
export const placesQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'places'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/places', { path: { form }, signal }),
    refetchInterval: 60_000,
  });

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => api.get('/settings/tokens', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get('/settings/sessions', { signal }),
});

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => api.get('/settings/second-factor', { signal }),
});

export const singleSignOnQuery = queryOptions({
  queryKey: ['single-sign-on'],
  queryFn: ({ signal }) => api.get('/settings/single-sign-on', { signal }),
});

export interface AuditFilter {
  verb?: string | undefined;
  user_id?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const EVENTS_PER_PAGE = 50;

export const auditQuery = (workspaceId: number, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['workspaces', workspaceId, 'audit-log', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get('/open/workspaces/{workspaceId}/audit-log', {
        path: { workspaceId },
        query: {
          limit: EVENTS_PER_PAGE,
          ...(pageParam && { before: pageParam }),
          ...(filter.verb && { verb: filter.verb }),
          ...(filter.user_id && { user_id: filter.user_id }),
          // Whole days in the reader's time zone.
          ...(filter.since && { since: startOfDay(filter.since) }),
          ...(filter.until && { until: startOfDay(filter.until, 1) }),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < EVENTS_PER_PAGE ? undefined : page.at(-1)?.id),
  });
