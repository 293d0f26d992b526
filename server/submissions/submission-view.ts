import type { MemberRole } from '../access/abilities.ts';
import type { Context } from '../context.ts';
import { createFileLinks, linkSource, READING_SECONDS } from '../files/file-links.ts';
import { findFileFields } from '../files/queries.ts';
import { findEndings } from './endings/queries.ts';
import type { SubmissionView } from './present-submission.ts';
import { seesPublicIds } from './public-ids.ts';
import { findReviews } from './reviews/queries.ts';

/** Looks up what is needed to show submissions of a form to a member. @param ids of submissions that are shown with their reviews */
export async function viewOf(
  context: Context,
  form: { id: number; role: MemberRole },
  ids: number[],
): Promise<SubmissionView> {
  const { db } = context;
  const links = createFileLinks(linkSource(context), form.id, READING_SECONDS);
  const [fieldIds, reviews, showsPublicIds, endings] = await Promise.all([
    findFileFields(db, form.id),
    findReviews(db, form.id, ids),
    seesPublicIds(db, form),
    findEndings(db, form.id),
  ]);
  return { fieldIds, links, reviews, showsPublicIds, endings };
}
