/** What waits apart from the responses: suspected spam, what waits for its address to be confirmed, or for a payment, and what is paid but did not fit. */
export type WaitingKind = 'spam' | 'unconfirmed' | 'unpaid' | 'paid';

interface WaitingWords {
  /** Codes of the service. */
  reasons: readonly string[];
  path:
    | '/workspaces/$workspaceId/forms/$formId/responses/set-aside'
    | '/workspaces/$workspaceId/forms/$formId/responses/unconfirmed'
    | '/workspaces/$workspaceId/forms/$formId/responses/unpaid'
    | '/workspaces/$workspaceId/forms/$formId/responses/paid';
  title: string;
  text: string;
  /** The most that wait, as the service has it, and what happens then. */
  most: number;
  fullText: string;
  /** Buttons that put one, or several, among the responses. */
  release: string;
  releaseMany: string;
  emptyTitle: string;
  /** With the setting, and without it. */
  emptyText: readonly [isOn: string, isOff: string];
}

export const WAITING: Readonly<Record<WaitingKind, WaitingWords>> = {
  spam: {
    reasons: ['hidden_field', 'too_fast', 'many_links', 'repeated'],
    path: '/workspaces/$workspaceId/forms/$formId/responses/set-aside',
    title: 'Set aside',
    text: 'These look like spam. They count nowhere, and nobody was told of them. “Not spam” puts a response among the others, as if it came now: integrations get it then. What nobody decides about is deleted after 30 days.',
    most: 1_000,
    fullText:
      'There is no room for more: until you delete some, suspected spam comes in among the responses.',
    release: 'Not spam',
    releaseMany: 'None of them is spam',
    emptyTitle: 'Nothing is set aside',
    emptyText: [
      'What looks like spam appears here instead of among the responses.',
      'This form takes everything in. Its settings, under Access, can change that.',
    ],
  },
  unconfirmed: {
    reasons: ['unconfirmed_email'],
    path: '/workspaces/$workspaceId/forms/$formId/responses/unconfirmed',
    title: 'Awaiting confirmation',
    text: 'Whoever sent these has not opened the link in the mail yet. They count nowhere, and nobody was told of them. “Keep without confirmation” puts a response among the others, as if it came now: integrations get it then. What is not confirmed is deleted after 7 days.',
    most: 10_000,
    fullText:
      'There is no room for more: until you delete some, visitors who give an address are asked to come back later.',
    release: 'Keep without confirmation',
    releaseMany: 'Keep them without confirmation',
    emptyTitle: 'Nothing awaits confirmation',
    emptyText: [
      'Responses appear here until their senders have confirmed the e-mail address.',
      'This form asks nobody to confirm an address. Its settings, under Access, can change that.',
    ],
  },
  unpaid: {
    reasons: ['unpaid'],
    path: '/workspaces/$workspaceId/forms/$formId/responses/unpaid',
    title: 'Awaiting payment',
    text: 'Whoever sent these has not paid yet. They count nowhere, and nobody was told of them. “Keep without payment” puts a response among the others, as if it came now: integrations get it then. What is not paid is deleted after 7 days.',
    most: 10_000,
    fullText:
      'There is no room for more: until you delete some, visitors who have to pay are asked to come back later.',
    release: 'Keep without payment',
    releaseMany: 'Keep them without payment',
    emptyTitle: 'Nothing awaits a payment',
    emptyText: [
      'Responses appear here until their senders have paid.',
      'This form asks nobody to pay. A payment block in the builder does.',
    ],
  },
  paid: {
    reasons: ['paid_but_refused'],
    path: '/workspaces/$workspaceId/forms/$formId/responses/paid',
    title: 'Paid, but not taken in',
    text: 'These were paid when the form could not take them any more, as each says. They stay until you decide. “Keep” puts a response among the others, as if it came now: integrations get it then. Or pay the money back at Stripe, and delete the response.',
    most: Number.POSITIVE_INFINITY,
    fullText: '',
    release: 'Keep',
    releaseMany: 'Keep them',
    emptyTitle: 'Nothing is left to decide',
    emptyText: [
      'What is paid appears here if the form could not take it in: because it was closed, full, or changed.',
      'This form asks nobody to pay. A payment block in the builder does.',
    ],
  },
};

export const WAITING_KINDS = Object.keys(WAITING) as WaitingKind[];
