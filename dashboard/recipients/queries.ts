import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';

export type LinkSettings = Answer<'/open/forms/{form}/personal-links'>;
export type Recipient = Answer<'/open/forms/{form}/recipients'>['data'][number];
export type RecipientStatus = Recipient['status'];

export interface RecipientFilter {
  status?: RecipientStatus | undefined;
  search?: string | undefined;
}

/** While mails go out, and while somebody only looks. */
const SOON_MS = 3_000;
const LATER_MS = 60_000;
const PAGE = 50;
/** What one call takes, or gives. */
export const MOST_PER_CALL = 1_000;

/** Everything that is known of a form's recipients stands below it. */
export const recipientsKey = (form: string) => ['forms', form, 'recipients'];

export const linkSettingsQuery = (form: string) =>
  queryOptions({
    queryKey: [...recipientsKey(form), 'settings'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/personal-links', { path: { form }, signal }),
    refetchInterval: ({ state }) => (isMailing(state.data) ? SOON_MS : LATER_MS),
  });

export const recipientsQuery = (form: string, filter: RecipientFilter) =>
  infiniteQueryOptions({
    queryKey: [...recipientsKey(form), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      readRecipients(form, { ...filter, after: pageParam, limit: PAGE }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ meta }) => meta.next_after ?? undefined,
  });

/** Who sent a submission; null where no recipient did. */
export const senderQuery = (form: string, submissionId: number) =>
  queryOptions({
    queryKey: [...recipientsKey(form), 'of', submissionId],
    queryFn: async ({ signal }) =>
      (await readRecipients(form, { submission_id: submissionId, limit: 1 }, signal)).data[0] ?? null,
  });

interface Wanted extends RecipientFilter {
  after?: number;
  limit: number;
  submission_id?: number;
}

export function readRecipients(
  form: string,
  { status, search, after, ...rest }: Wanted,
  signal?: AbortSignal,
) {
  return api.get('/open/forms/{form}/recipients', {
    path: { form },
    query: { ...rest, ...(after && { after }), ...(status && { status }), ...(search && { search }) },
    ...(signal && { signal }),
  });
}

/** Whether mails wait that will go out. */
function isMailing(settings: LinkSettings | undefined): boolean {
  return settings?.mail_is_set_up === true && settings.counts.queued > 0;
}

export function countAll({ counts }: LinkSettings): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Whether a response tells whose personal link it came by. */
export function tellsSenders(settings: LinkSettings | undefined): boolean {
  return settings !== undefined && !settings.anonymous && countAll(settings) > 0;
}
