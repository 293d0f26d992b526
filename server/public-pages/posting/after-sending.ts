import type { Answers } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import { submissionHash } from '../../submissions/acceptance/submission-hash.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import { findSent } from '../queries.ts';
import type { PageQuery } from '../visit/visit.ts';
import { AGAIN, isRefillable, mayLeadAway, redirectTarget } from './thank-you.ts';

/** A complete submission that its sender has just sent, or confirmed. */
interface SentAnswers {
  submissionId: string;
  /** As they came: used where the stored ones are gone. */
  answers: Answers;
}

/**
 * The page with which a form thanks, as an address within this service.
 * @param again the query with which the form is filled in once more
 */
export function thankYouPath(
  { secrets }: Pick<Context, 'secrets'>,
  form: PublishedForm,
  submissionId: string,
  again: PageQuery = new URLSearchParams(),
): string {
  const query = new URLSearchParams({ receipt: submissionHash(secrets, form.id, submissionId, 'receipt') });
  if (again.size > 0 && isRefillable(form)) query.set(AGAIN, `${again}`);
  return inSameLanguage(form, `/forms/${form.slug}/thank-you?${query}`);
}

/** Where a visitor is led after sending: to the address that the form or the ending of these answers names, or to the thank-you page. */
export async function addressAfterSending(
  context: Context,
  form: PublishedForm,
  sent: SentAnswers,
  again?: PageQuery,
): Promise<string> {
  return (await targetOf(context, form, sent)) ?? thankYouPath(context, form, sent.submissionId, again);
}

/**
 * Uses the stored answers, which contain prefilled values and numbers. An error with the address must not look as if the answers
 * were not stored.
 */
async function targetOf(context: Context, form: PublishedForm, sent: SentAnswers): Promise<string | null> {
  if (!mayLeadAway(form)) return null;
  try {
    const stored = await findSent(context.db, form.id, sent.submissionId);
    const answers = stored?.answers ?? sent.answers;
    return redirectTarget(form, answers, form.endingFor(answers));
  } catch (error) {
    context.log.error({ err: error, form: form.id }, 'the address after sending could not be made');
    return null;
  }
}
