import { FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import { success } from '../../http/schemas/success.ts';
import { findSubmission } from '../queries.ts';
import { requireKey } from '../submission-key.ts';
import { forgetChanges } from './forget-changes.ts';
import { presentChanges } from './present-changes.ts';
import { findChanges } from './queries.ts';
import { deleteChangesSchema, listChangesSchema } from './schemas.ts';

export function registerChangeRoutes(app: App, { db }: Context): void {
  const PATH = '/open/forms/:form/submissions/:submissionId/changes';

  app.get(PATH, { config: FORM_READING, schema: listChangesSchema }, async (request) => {
    const { id: formId } = formOf(request);
    const key = await requireKey(db, formId, request.params.submissionId);
    // A snapshot, as what a change led to is read from the next change, or from the present answers.
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute(async (trx) => {
      const submission = await findSubmission(trx, formId, key);
      if (!submission) throw notFound('Submission');
      const changes = await findChanges(trx, formId, [submission.id]);
      return { changes: presentChanges(changes, submission.data) };
    });
  });

  app.delete(PATH, { config: FORM_WRITING, schema: deleteChangesSchema }, async (request) => {
    const form = formOf(request);
    const key = await requireKey(db, form.id, request.params.submissionId);
    await forgetChanges(db, form, key, actorOf(request));
    return success('Earlier answers successfully deleted.');
  });
}
