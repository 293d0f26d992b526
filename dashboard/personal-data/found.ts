import { formatCount } from '../lib/format.ts';
import type { FoundPage, FoundResponse } from './queries.ts';

/** Everything found so far. */
export interface Found {
  isEmail: boolean;
  /** Forms whose responses contain the value, or did before a change. */
  forms: { id: number; title: string; responses: FoundResponse[] }[];
  /** Responses that contain the value, or came by the person's own link. */
  responses: number;
  formsOfResponses: number;
  /** Responses that contained it only before a change. */
  corrected: number;
  /** Files of these responses; those of drafts are not included. */
  files: number;
  /** Of these responses, those that are paid, or may be; */
  payments: number;
  /** and those that are paid, but were not taken in: the money may be owed back. */
  owed: number;
  drafts: number;
  invites: number;
  /** Recipients in the lists of forms. */
  recipients: number;
  erasures: FoundPage['erasures'];
}

export function foundIn(pages: FoundPage[]): Found {
  const responses = pages.flatMap(({ submissions }) => submissions);
  const forms = new Map<number, Found['forms'][number]>();
  for (const response of responses) {
    const { id, title } = response.form;
    const form = forms.get(id) ?? { id, title, responses: [] };
    form.responses.push(response);
    forms.set(id, form);
  }
  const holding = responses.filter(({ found_in, found_by_link }) => found_in.length > 0 || found_by_link);
  const last = pages.at(-1);
  return {
    isEmail: last?.value_kind === 'email',
    forms: [...forms.values()],
    responses: holding.length,
    formsOfResponses: new Set(holding.map(({ form }) => form.id)).size,
    corrected: responses.length - holding.length,
    files: holding.reduce((sum, { files }) => sum + files.length, 0),
    payments: holding.filter(mayBePaid).length,
    owed: holding.filter(isOwedBack).length,
    // Every call searches all of these, so only the last counts.
    drafts: last?.drafts ?? 0,
    invites: last?.invites ?? 0,
    recipients: last?.recipients ?? 0,
    erasures: last?.erasures ?? [],
  };
}

function mayBePaid({ payment, payment_state: state }: FoundResponse): boolean {
  return payment !== undefined || (state != null && state !== 'not_begun');
}

/** Whether it is paid, and the form has not taken it in. */
export function isOwedBack({ payment_state: state }: FoundResponse): boolean {
  return state === 'paid';
}

export function isNothing({ responses, corrected, drafts, invites, recipients }: Found): boolean {
  return responses + corrected + drafts + invites + recipients === 0;
}

/** `4 responses in 2 forms, 1 draft`. */
export function foundText(found: Found): string {
  const { responses, formsOfResponses, corrected, drafts, invites, recipients } = found;
  const parts = [
    responses > 0 && `${formatCount(responses, 'response')} in ${formatCount(formsOfResponses, 'form')}`,
    corrected > 0 && formatCount(corrected, 'response that said it before', 'responses that said it before'),
    drafts > 0 && formatCount(drafts, 'draft'),
    invites > 0 && formatCount(invites, 'invitation'),
    recipients > 0 &&
      formatCount(recipients, 'place on a list of recipients', 'places on lists of recipients'),
  ];
  return parts.filter(Boolean).join(', ');
}

const KINDS: Record<string, [one: string, many: string]> = {
  submissions: ['response', 'responses'],
  changes: ['response without its earlier answers', 'responses without their earlier answers'],
  files: ['file', 'files'],
  deliveries: ['delivery in the logs', 'deliveries in the logs'],
  exports: ['export', 'exports'],
  drafts: ['draft', 'drafts'],
  invites: ['invitation', 'invitations'],
  recipients: ['place on a list of recipients', 'places on lists of recipients'],
};

/** What an erasure removed, from the service's counts: `4 responses, 2 files`. */
export function erasedText(counts: Record<string, unknown>): string {
  const parts = Object.entries(KINDS).map(([kind, [one, many]]) => {
    const count = Number(counts[kind] ?? 0);
    return count > 0 && formatCount(count, one, many);
  });
  return parts.filter(Boolean).join(', ') || 'nothing';
}
