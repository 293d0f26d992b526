import type { FastifyRequest } from 'fastify';
import type { Answers } from '../../fields/property.ts';
import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { whenClientLeaves } from '../http/response/client-left.ts';
import { wholePage } from '../http/response/long-answers.ts';
import { momentOf } from '../http/schemas/moments.ts';
import { pageOf, paginated, paginatedBefore } from '../http/schemas/pagination.ts';
import { success } from '../http/schemas/success.ts';
import { isAnyBeingPaid } from '../payments/queries.ts';
import { findPage } from './lists/find-page.ts';
import { asksForCursor, listSubmissions } from './lists/list-submissions.ts';
import { presentListPage } from './lists/present-page.ts';
import { readText } from './lists/read-filter.ts';
import { lockFormGateIn } from './lock-gate.ts';
import { listOptionPlaces } from './option-places-queries.ts';
import { presentSubmission, presentUnread } from './present-submission.ts';
import { findKeptId, findKeptIds, findSubmission, isEditable, type SubmissionRow } from './queries.ts';
import { removeSubmissions } from './remove-submissions.ts';
import { replaceSubmission } from './replace-submission.ts';
import {
  deleteManySchema,
  deleteSchema,
  listSchema,
  placesSchema,
  readSchema,
  updateSchema,
} from './schemas.ts';
import { beingPaid } from './set-aside/release-submission.ts';
import { requireIds, requireKey } from './submission-key.ts';
import { viewOf } from './submission-view.ts';

export function registerSubmissionRoutes(app: App, context: Context): void {
  const { db } = context;

  app.get(
    '/open/forms/:form/submissions',
    { config: FORM_READING, schema: listSchema },
    async (request, reply) => {
      const leaving = whenClientLeaves(reply);
      const { id } = formOf(request);
      const { before } = request.query;
      const page = pageOf(request.query);
      if (asksForCursor(request.query)) {
        const list = await listSubmissions(db, id, request.query, leaving);
        const view = await viewOf(context, formOf(request), list.rows, { showsReviews: true });
        const items = list.rows.map((row) => presentSubmission(id, row, view));
        return presentListPage(context.baseUrl() + request.url, items, list, page.limit);
      }
      const part =
        before === undefined
          ? { ...page, beforeId: undefined }
          : { limit: page.limit + 1, offset: 0, beforeId: before };
      const filter = readText(request.query);
      const find = (isWhole: boolean) => findPage(db, id, filter, { ...part, isWhole, leaving });
      // The next page by number does not know where this one has ended.
      const finding = before === undefined ? wholePage(reply, callerOf(request).userId, find) : find(false);
      const { rows, count, total } = await finding;
      const view = await viewOf(context, formOf(request), rows, { showsReviews: false });
      const items = rows.map((row) => presentSubmission(id, row, view));
      const url = context.baseUrl() + request.url;
      return before === undefined
        ? paginated(url, items, page, total)
        : paginatedBefore(url, { data: items, isCut: rows.length < count }, page, total);
    },
  );

  app.get('/open/forms/:form/places', { config: FORM_READING, schema: placesSchema }, async (request) => ({
    data: await listOptionPlaces(db, formOf(request).id),
  }));

  app.get(
    '/open/forms/:form/submissions/:submissionId',
    { config: FORM_READING, schema: readSchema },
    async (request) => {
      const { id } = formOf(request);
      const found = await findSubmission(db, id, await requireKey(db, id, request.params.submissionId));
      if (!found) throw notFound('Submission');
      const view = await viewOf(context, formOf(request), [found], { showsReviews: true });
      return presentSubmission(id, found, view);
    },
  );

  app.put(
    '/open/forms/:form/submissions/:submissionId',
    { config: FORM_WRITING, schema: updateSchema },
    async (request) => {
      const { updated_at, present = [] } = request.query;
      const form = formOf(request);
      const key = await requireKey(db, form.id, request.params.submissionId);
      const after = await replaceSubmission(context, form, key, {
        body: request.body as Answers,
        readAt: updated_at === undefined ? null : momentOf('updated_at', updated_at),
        present,
        actor: actorOf(request),
      });
      return success('Record successfully updated.', { data: await presentChanged(request, after) });
    },
  );

  app.delete(
    '/open/forms/:form/submissions/:submissionId',
    { config: FORM_WRITING, schema: deleteSchema },
    async (request) => {
      const { id } = formOf(request);
      const kept = await findKeptId(db, id, await requireKey(db, id, request.params.submissionId));
      if (kept === null || (await remove(request, [kept])) === 0) throw notFound('Submission');
      return success('Record successfully removed.');
    },
  );

  app.post(
    '/open/forms/:form/submissions/multi',
    { config: FORM_WRITING, schema: deleteManySchema },
    async (request) => {
      const { id } = formOf(request);
      const ids = await requireIds(db, id, request.body.submissionIds, findKeptIds);
      await remove(request, [...new Set(ids)]);
      return success('Records successfully removed.');
    },
  );

  /** Abilities never imply one another: a token that may only write learns no answers. */
  async function presentChanged(request: FastifyRequest, row: SubmissionRow) {
    const form = formOf(request);
    if (!callerOf(request).abilities.has('forms-read'))
      return presentUnread(form.id, row, !(await isEditable(db, form.id)));
    const view = await viewOf(context, form, [row], { showsReviews: true });
    return presentSubmission(form.id, row, view);
  }

  async function remove(request: FastifyRequest, ids: number[]): Promise<number> {
    const form = formOf(request);
    const removed = await db.transaction().execute(async (trx) => {
      await lockFormGateIn(trx, form);
      // What is paid for in the next moment would be gone.
      if (await isAnyBeingPaid(trx, form.id, ids)) throw beingPaid();
      return removeSubmissions(trx, form.id, ids, actorOf(request));
    });
    if (removed.unsent > 0) await endpointChangesInForce();
    return removed.submissions;
  }
}
