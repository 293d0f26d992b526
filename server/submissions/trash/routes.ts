import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { wholePage } from '../../http/response/long-answers.ts';
import { momentOf } from '../../http/schemas/moments.ts';
import { pageOf, paginated } from '../../http/schemas/pagination.ts';
import { success } from '../../http/schemas/success.ts';
import { trashEnd } from '../../trash-time.ts';
import { presentSubmission } from '../present-submission.ts';
import { findKey, presentIds, requireIds } from '../submission-key.ts';
import { viewOf } from '../submission-view.ts';
import { findTrashedSubmissions } from './queries.ts';
import { emptyTrashSchema, listTrashSchema, restoreSchema, trashSchema } from './schemas.ts';
import { emptySubmissionTrash, takeSubmissionsOut, trashSubmissions } from './trash-submissions.ts';

/** Submissions can go into the trash before they are deleted, so that a wrong click loses no answers. */
export function registerSubmissionTrashRoutes(app: App, context: Context): void {
  const { db } = context;
  const TRASH = '/open/forms/:form/submissions/trash';

  app.get(TRASH, { config: FORM_READING, schema: listTrashSchema }, async (request, reply) => {
    const form = formOf(request);
    const page = pageOf(request.query);
    const { submission_id: named } = request.query;
    const key = named === undefined ? undefined : await findKey(db, form.id, named);
    const find = async (isWhole: boolean) =>
      key === null
        ? { rows: [], count: 0, total: 0 }
        : findTrashedSubmissions(db, form.id, { ...page, isWhole }, key);
    const { rows, total } = await wholePage(reply, callerOf(request).userId, find);
    const view = await viewOf(context, form, rows, { showsReviews: false });
    const items = rows.map((row) => ({
      ...presentSubmission(form.id, row, view),
      trashed_at: row.trashed_at.toISOString(),
      trash_ends_at: trashEnd(row.trashed_at),
    }));
    return paginated(context.baseUrl() + request.url, items, page, total);
  });

  app.post(TRASH, { config: FORM_WRITING, schema: trashSchema }, async (request) => {
    const form = formOf(request);
    const ids = await requireIds(db, form.id, request.body.submissionIds);
    await trashSubmissions(db, form, [...new Set(ids)], actorOf(request));
    return success('Records successfully moved to the trash.');
  });

  app.post(`${TRASH}/restore`, { config: FORM_WRITING, schema: restoreSchema }, async (request) => {
    const form = formOf(request);
    const ids = await presentIds(db, form.id, request.body.submissionIds);
    const restored = await takeSubmissionsOut(db, form, [...new Set(ids)], actorOf(request));
    const data = restored.map(({ id, former_id }) => ({ id, former_id }));
    return success('Records successfully restored.', { data });
  });

  app.delete(TRASH, { config: FORM_WRITING, schema: emptyTrashSchema }, async (request) => {
    const since = request.query.until === undefined ? null : momentOf('until', request.query.until);
    const { isDone, until } = await emptySubmissionTrash(db, formOf(request), since, actorOf(request));
    const message = isDone
      ? 'The trash is empty.'
      : 'The trash is not empty yet. Call again with `until` to go on.';
    return success(message, { is_empty: isDone, until: until.toISOString() });
  });
}
