import type { Context } from '../context.ts';
import { type LinkHolder, noteOpened } from '../recipients/link-queries.ts';
import { linkHolderOf } from '../recipients/personal-link.ts';
import { submissionHash } from '../submissions/acceptance/partial-hash.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { answeredPage, type MessagePage, personalLinkPage } from './other-pages.ts';
import { findAnswers } from './queries.ts';
import type { PageQuery, Visit } from './visit.ts';

/** What a personal link does to a visit. */
export interface PersonalVisit {
  /** Shown in place of the form; null when it can be filled in. */
  refusal: MessagePage | null;
  visit: Visit;
  /** With what the form is filled in for its recipient. */
  query: PageQuery;
}

/**
 * Whoever comes back by a personal link goes on where they were: with the partial submission they have begun, and with the one
 * they have sent where the form can be edited.
 */
export async function personalVisit(
  context: Context,
  form: PublishedForm,
  visit: Visit,
  query: PageQuery,
): Promise<PersonalVisit> {
  const { personalLinks } = form;
  if (personalLinks === null || (await isEdit(context, form, visit))) return { refusal: null, visit, query };
  const holder = await linkHolderOf(context, form, visit.personal);
  if (holder === null)
    return { refusal: personalLinks.required ? personalLinkPage(form) : null, visit, query };
  const found = goingOn(context, form, { ...visit, submissionId: null }, holder);
  if (holder.hasAnswered && found.submissionId === null) return { refusal: answeredPage(form), visit, query };
  if (!query.has('visit')) await noteOpened(context.db, form.id, holder.id);
  return { refusal: null, visit: found, query: personalLinks.anonymous ? query : filledIn(query, holder) };
}

/** Whether there is a submission that the address corrects: of what is gone it would be a new one. */
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
  if (isPartial && form.takesPartials && visit.submissionHash === null)
    return { ...visit, submissionHash: submissionHash(secrets, form.id, publicId) };
  return hasAnswered && !isPartial && form.isEditable ? { ...visit, submissionId: publicId } : visit;
}

/** What the owner has put down for a recipient counts, whatever the address says. */
function filledIn(query: PageQuery, { prefill }: LinkHolder): PageQuery {
  const filled = new URLSearchParams(query);
  for (const [id, value] of Object.entries(prefill ?? {})) {
    filled.delete(`${id}[]`);
    filled.delete(id);
    for (const part of [value].flat()) filled.append(id, part);
  }
  return filled;
}
