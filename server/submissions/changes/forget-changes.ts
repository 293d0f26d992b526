import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db } from '../../db/database.ts';
import { notFound } from '../../http/errors.ts';
import { underFormGate } from '../lock-gate.ts';
import { findSubmission, type SubmissionKey } from '../queries.ts';
import { deleteChanges } from './queries.ts';

/**
 * Forgets what the answers of a submission said before.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export function forgetChanges(db: Db, form: NamedForm, key: SubmissionKey, actor: Actor): Promise<void> {
  const { id: formId } = form;
  return underFormGate(db, form, async (trx) => {
    const submission = await findSubmission(trx, formId, key);
    if (!submission) throw notFound('Submission');
    const { id } = submission;
    if ((await deleteChanges(trx, formId, [id])) === 0) return;
    const target = { id, name: null };
    await recordEvent(trx, actor, { verb: 'submission.changes_deleted', formId, target });
  });
}
