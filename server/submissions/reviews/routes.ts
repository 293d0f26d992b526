import { FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import { requireId } from '../../http/schemas/ids.ts';
import { success } from '../../http/schemas/success.ts';
import { requireIds, requireKey } from '../submission-key.ts';
import { presentEntry } from './present-review.ts';
import { countReviews, findEntries, findStanding } from './queries.ts';
import { removeNote, reviewSubmission, reviewSubmissions } from './review-submissions.ts';
import {
  countReviewsSchema,
  deleteNoteSchema,
  readReviewSchema,
  reviewManySchema,
  reviewSchema,
} from './schemas.ts';

export function registerReviewRoutes(app: App, context: Context): void {
  const { db } = context;
  const MANY = '/open/forms/:form/submissions/reviews';
  const ONE = '/open/forms/:form/submissions/:submissionId/review';

  app.get(MANY, { config: FORM_READING, schema: countReviewsSchema }, (request) =>
    countReviews(db, formOf(request).id),
  );

  app.put(MANY, { config: FORM_WRITING, schema: reviewManySchema }, async (request) => {
    const { id } = formOf(request);
    const { submissionIds, state, only_from: onlyFrom } = request.body;
    const asked = await requireIds(db, id, submissionIds);
    const changed = await reviewSubmissions(
      db,
      formOf(request),
      { asked, state, onlyFrom },
      actorOf(request),
    );
    return success('Reviews successfully saved.', { changed });
  });

  app.get(ONE, { config: FORM_READING, schema: readReviewSchema }, async (request) => {
    const { id } = formOf(request);
    const found = await findStanding(db, id, await requireKey(db, id, request.params.submissionId));
    if (!found) throw notFound('Submission');
    const history = (await findEntries(db, id, [found.id])).map(presentEntry);
    return { state: found.state, notes: history.filter(({ note }) => note !== null).length, history };
  });

  app.post(ONE, { config: FORM_WRITING, schema: reviewSchema }, async (request) => {
    const { state, note } = request.body;
    const form = formOf(request);
    const key = await requireKey(db, form.id, request.params.submissionId);
    const said = { state, note: note?.trim() || null };
    const review = await reviewSubmission(db, form, key, said, actorOf(request));
    return success('Review successfully saved.', { review });
  });

  app.delete(`${ONE}/notes/:noteId`, { config: FORM_WRITING, schema: deleteNoteSchema }, async (request) => {
    const form = formOf(request);
    const key = await requireKey(db, form.id, request.params.submissionId);
    const noteId = requireId(request.params.noteId, 'Note');
    await removeNote(db, form, { key, noteId }, form.role, actorOf(request));
    return success('Note successfully removed.');
  });
}
