/** How long suspected spam waits for somebody who decides. */
export const SET_ASIDE_DAYS = 30;
/** How long a sender can confirm an address, or pay. */
export const CONFIRMATION_DAYS = 7;

const DAY_MS = 86_400_000;
/** Most suspected spam that a form sets aside; what is suspected beyond that is stored like any submission, so that nothing is lost. */
export const MAX_SET_ASIDE = 1_000;

/** Less than this after its page was made, in milliseconds, nobody can have read and answered a form. */
export const FASTEST_MS = 3_000;
/** Different addresses of web pages in the texts of one submission. */
export const MAX_LINKS = 3;
/** How often one network may send the same text to a form within the time below. */
export const MAX_SAME_TEXTS = 2;
export const SAME_TEXTS_MS = 10 * 60_000;
/** Characters; people do send the same shorter texts. */
export const SHORTEST_SAME_TEXT = 20;

/** Every rule against spam, and what it says of a submission. */
const SUSPICIONS = {
  hidden_field: 'A field was filled in that people cannot see.',
  too_fast: `It was sent less than ${FASTEST_MS / 1_000} seconds after the page was opened.`,
  many_links: `Its texts have more than ${MAX_LINKS} links.`,
  repeated: `The same text came more than twice within ${SAME_TEXTS_MS / 60_000} minutes from the same network.`,
} as const;

/** Every reason for which a submission is set aside, in words. */
export const REASONS = {
  ...SUSPICIONS,
  unconfirmed_email: 'Its sender has not confirmed the e-mail address.',
  unpaid: 'Its sender has not paid.',
  paid_but_refused: 'Its sender has paid, but the form could not take it in.',
} as const;

export type Reason = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as Reason[];
export const SUSPICION_CODES = Object.keys(SUSPICIONS) as Reason[];

/** What waits for its sender, and is deleted after a week without them. */
export const AWAITING_CODES: readonly Reason[] = ['unconfirmed_email', 'unpaid'];

/** When what was set aside for these reasons is deleted, if nobody pays just then. @param since when that was */
export function endOfWaiting(since: Date, reasons: readonly Reason[]): Date {
  const days = reasons.some((reason) => AWAITING_CODES.includes(reason)) ? CONFIRMATION_DAYS : SET_ASIDE_DAYS;
  return new Date(since.getTime() + days * DAY_MS);
}
