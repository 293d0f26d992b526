import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { deleteSubmissions } from './queries.ts';

/** Deletes submissions of a form as `deleteSubmissions` does, and records who did in the audit log. */
export async function removeSubmissions(trx: Transaction, formId: number, ids: number[], actor: Actor) {
  const removed = await deleteSubmissions(trx, formId, ids);
  const details = { count: removed.submissions, submission_ids: ids };
  if (removed.submissions > 0) await recordEvent(trx, actor, { verb: 'submission.deleted', formId, details });
  return removed;
}
