import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';

export type LinkSettings = Answer<'/open/forms/{form}/personal-links'>;
export type Recipient = Answer<'/open/forms/{form}/recipients'>['data'][number];
export type RecipientStatus = Recipient['status'];

interface RecipientFilter {
  status?: RecipientStatus | undefined;
  search?: string | undefined;
}

/** Milliseconds between two loads while mails are being sent, and otherwise. */
const SOON_MS = 3_000;
const LATER_MS = 60_000;
const PAGE = 50;
/** Most recipients of one call, sent or received. */
export const MOST_PER_CALL = 1_000;

/** Prefix of all queries about a form's recipients. */
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

/** The recipient who sent a submission; null if none did. */
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

/** Whether any mails are waiting that will be sent. */
function isMailing(settings: LinkSettings | undefined): boolean {
  return settings?.mail_is_set_up === true && settings.counts.queued > 0;
}

export function countAll({ counts }: LinkSettings): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Whether a response shows whose personal link it came by. */
export function tellsSenders(settings: LinkSettings | undefined): boolean {
  return settings !== undefined && !settings.anonymous && countAll(settings) > 0;
}

/** How a recipient is named where there may be no name. */
export function calledOf({ id, name, email }: Recipient): string {
  return name ?? email ?? `No. ${id}`;
}
