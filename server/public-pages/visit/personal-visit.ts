import type { Context } from '../../context.ts';
import { paymentPage } from '../../payments/payment-link.ts';
import { findUnpaid } from '../../payments/queries.ts';
import { type LinkHolder, noteOpened } from '../../recipients/link-queries.ts';
import { linkHolderOf } from '../../recipients/personal-link.ts';
import { openSubmissionHash, submissionHash } from '../../submissions/acceptance/submission-hash.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { answeredPage, type MessagePage, personalLinkPage } from '../page/message-pages.ts';
import { findAnswers } from '../queries.ts';
import type { PageQuery, Visit } from './visit.ts';

/** The effect of a personal link on a visit. */
interface PersonalVisit {
  /** Shown in place of the form; null if it can be filled in. */
  refusal: MessagePage | null;
  /** Address to lead to instead of anything else; null for none. */
  leadTo: string | null;
  visit: Visit;
  /** Query with the values that the recipient's form is filled in with. */
  query: PageQuery;
}

const GOES_ON = { refusal: null, leadTo: null };

/**
 * A recipient who comes back by a personal link continues their partial submission, or edits the one they sent if the form allows
 * that. One who may be paying just now is led to the page for that.
 */
export async function personalVisit(
  context: Context,
  form: PublishedForm,
  visit: Visit,
  query: PageQuery,
): Promise<PersonalVisit> {
  const { personalLinks } = form;
  if (personalLinks === null || (await isEdit(context, form, visit))) return { ...GOES_ON, visit, query };
  const holder = await linkHolderOf(context, form, visit.personal);
  if (holder === null)
    return { ...GOES_ON, refusal: personalLinks.required ? personalLinkPage(form) : null, visit, query };
  const found = goingOn(context, form, { ...visit, submissionId: null }, holder);
  if (holder.hasAnswered && found.submissionId === null)
    return { refusal: answeredPage(form), leadTo: await whereToPay(context, form, holder), visit, query };
  if (!query.has('visit')) await noteOpened(context.db, form.id, holder);
  const own = personalLinks.anonymous ? new URLSearchParams(query) : filledIn(query, holder);
  // What recipients have begun themselves is no link that somebody else may have sent them.
  if (isOwn(context, form, found, holder)) own.delete('submission_hash');
  return { ...GOES_ON, visit: found, query: own };
}

/** The page that says how the payment stands which the holder has begun. */
async function whereToPay(
  context: Context,
  form: PublishedForm,
  { mayBePaid }: LinkHolder,
): Promise<string | null> {
  const [unpaid] = mayBePaid === null ? [] : await findUnpaid(context.db, form.id, mayBePaid);
  return unpaid ? paymentPage(context, form, unpaid).url : null;
}

/** Whether the address edits an existing submission; if that is gone, sending would make a new one. */
async function isEdit({ db }: Context, { id, isEditable }: PublishedForm, { submissionId }: Visit) {
  return (
    isEditable && submissionId !== null && (await findAnswers(db, id, submissionId, 'completed')) !== null
  );
}

function goingOn(
  { secrets }: Context,
  form: PublishedForm,
  visit: Visit,
  { submission, hasAnswered }: LinkHolder,
): Visit {
  if (submission === null) return visit;
  const { publicId, isPartial } = submission;
  if (isPartial && visit.submissionHash === null)
    return { ...visit, submissionHash: submissionHash(secrets, form.id, publicId) };
  return hasAnswered && !isPartial && form.isEditable ? { ...visit, submissionId: publicId } : visit;
}

function isOwn(
  { secrets }: Context,
  { id }: PublishedForm,
  { submissionHash: hash }: Visit,
  { submission }: LinkHolder,
): boolean {
  return hash !== null && submission?.publicId === openSubmissionHash(secrets, id, hash);
}

/** The owner's values for a recipient take precedence over the address. */
function filledIn(query: PageQuery, { prefill }: LinkHolder): PageQuery {
  const filled = new URLSearchParams(query);
  for (const [id, value] of Object.entries(prefill ?? {})) {
    filled.delete(`${id}[]`);
    filled.delete(id);
    for (const part of [value].flat()) filled.append(id, part);
  }
  return filled;
}
