import type { MemberRole } from '../access/abilities.ts';
import type { Context } from '../context.ts';
import { createFileLinks, linkSource, READING_SECONDS } from '../files/file-links.ts';
import { findFileFields } from '../files/queries.ts';
import { findPayments } from '../payments/queries.ts';
import { findConfirmedAddresses } from './confirmation/queries.ts';
import { findEndings } from './endings/queries.ts';
import type { SubmissionView } from './present-submission.ts';
import { seesPublicIds } from './public-ids.ts';
import type { SubmissionRow } from './queries.ts';
import { findReviews } from './reviews/queries.ts';

/**
 * Looks up what is needed to show submissions of a form to a member.
 * @param rows the submissions
 * @param showsReviews whether they are shown with their reviews
 */
export async function viewOf(
  context: Context,
  form: { id: number; role: MemberRole },
  rows: readonly Pick<SubmissionRow, 'id' | 'public_id'>[],
  { showsReviews }: { showsReviews: boolean },
): Promise<SubmissionView> {
  const { db } = context;
  const links = createFileLinks(linkSource(context), form.id, READING_SECONDS);
  const reviewed = showsReviews ? rows.map(({ id }) => id) : [];
  const publicIds = rows.map(({ public_id }) => public_id);
  const [fieldIds, reviews, confirmed, payments, showsPublicIds, endings] = await Promise.all([
    findFileFields(db, form.id),
    findReviews(db, form.id, reviewed),
    findConfirmedAddresses(db, form.id, publicIds),
    findPayments(db, form.id, publicIds),
    seesPublicIds(db, form),
    findEndings(db, form.id),
  ]);
  return { fieldIds, links, reviews, confirmed, payments, showsPublicIds, endings };
}
