import { type Ending, reachedEnding } from '../../fields/logic/endings.ts';
import type { Answers } from '../../fields/property.ts';
import { type FileLinks, fileNamesIn } from '../files/file-links.ts';
import type { ReceivedPayment } from '../payments/checkout.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { presentConfirmed } from './confirmation/present-confirmed.ts';
import type { ConfirmedAddress } from './confirmation/queries.ts';
import type { SubmissionRow } from './queries.ts';
import type { Review } from './reviews/queries.ts';

/** What is needed besides the rows to show submissions of a form. */
export interface SubmissionView {
  /** Fields whose answers name files. */
  fieldIds: readonly string[];
  links: FileLinks;
  /** See `seesPublicIds`. */
  showsPublicIds: boolean;
  /** By numeric id; empty where reviews are not shown. */
  reviews: ReadonlyMap<number, Review>;
  /** Those of the form. */
  endings: readonly Pick<Ending, 'id' | 'name'>[];
  /** By public id. */
  confirmed: ReadonlyMap<string, ConfirmedAddress>;
  /** By public id. */
  payments: ReadonlyMap<string, ReceivedPayment>;
}

/** A submission as a member reads it. */
export function presentSubmission(formId: number, row: SubmissionRow, view: SubmissionView) {
  const files = filesOf(row.data, view);
  const review = view.reviews.get(row.id);
  const confirmed = view.confirmed.get(row.public_id);
  const payment = view.payments.get(row.public_id);
  const publicId = view.showsPublicIds ? row.public_id : null;
  const about = {
    status: row.status,
    created_at: row.created_at.toISOString(),
    id: row.id,
    submission_id: publicId,
  };
  return {
    id: row.id,
    submission_id: publicId,
    form_id: formId,
    status: row.status,
    // Existing clients expect these members among the answers.
    data: { ...row.data, ...about },
    ...(files && { files }),
    completion_time: row.completion_time,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ending: row.ending === null ? null : reachedEnding(view.endings, row.ending),
    ...(review && { review }),
    ...(confirmed && { confirmed_email: presentConfirmed(confirmed) }),
    ...(payment && { payment: presentPayment(payment) }),
    ...(row.attribution !== null && { meta: { attribution: row.attribution as Record<string, string> } }),
  };
}

/**
 * A submission for whoever may change it, but not read answers: which it is, and when it was changed.
 * @param showsPublicId its public id opens no answers
 */
export function presentUnread(formId: number, row: SubmissionRow, showsPublicId: boolean) {
  return {
    id: row.id,
    submission_id: showsPublicId ? row.public_id : null,
    form_id: formId,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Links by field id; null when the submission holds no files. */
function filesOf(answers: Answers, { fieldIds, links }: SubmissionView) {
  const named = fieldIds
    .map((id) => [id, Object.hasOwn(answers, id) ? fileNamesIn(answers[id]) : []] as const)
    .filter(([, names]) => names.length > 0);
  if (named.length === 0) return null;
  return Object.fromEntries(
    named.map(([id, names]) => [id, names.map((name) => ({ file_url: links.urlOf(name), file_name: name }))]),
  );
}
