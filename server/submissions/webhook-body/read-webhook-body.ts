import type { Answers } from '../../../fields/property.ts';
import type { MemberRole } from '../../access/abilities.ts';
import type { Context } from '../../context.ts';
import {
  compilePayload,
  type Edit,
  GENERIC_KIND,
  type PayloadSubmission,
  wholeBody,
} from '../../deliveries/payload.ts';
import { linkSource } from '../../files/file-links.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { findChanges, type SubmissionChange } from '../changes/queries.ts';
import { seesPublicIds } from '../public-ids.ts';
import { findDeliveredForm } from '../published-form/published-form.ts';
import { findSubmission, type SubmissionRow } from '../queries.ts';
import { requireKey } from '../submission-key.ts';
import { findProofs } from './find-proofs.ts';
import { findArrival } from './queries.ts';

/**
 * What an integration `webhook` of the form is sent for a submission.
 * @param changeId of the change to be told of; undefined for the submission as if it were new
 * @throws HttpError 404, 422 on `change`
 */
export async function readWebhookBody(
  context: Context,
  { id: formId, role }: { id: number; role: MemberRole },
  submission: string,
  changeId: number | undefined,
) {
  const form = await findDeliveredForm(context.db, formId);
  if (!form) throw notFound('Form');
  const editable = form.editable && (await seesPublicIds(context.db, { id: formId, role }));
  const writePayload = compilePayload({ ...form, editable }, GENERIC_KIND, linkSource(context));
  // A snapshot, as what a change led to is read from the later changes and the present answers.
  const snapshot = context.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (trx) => {
    const row = await findSubmission(trx, formId, await requireKey(trx, formId, submission));
    if (!row) throw notFound('Submission');
    const changes = changeId === undefined ? [] : await findChanges(trx, formId, [row.id]);
    const told =
      changeId === undefined
        ? { answers: row.data, ending: row.ending }
        : afterChange(changes, row, changeId);
    const attribution = row.attribution as Record<string, string> | null;
    // What is told of a change does not repeat who confirmed and paid.
    const proofs = changeId === undefined ? await findProofs(trx, formId, row.public_id) : {};
    const payload = writePayload({ publicId: row.public_id, attribution, ...told, ...proofs });
    return {
      body: wholeBody(payload, row.id),
      status: row.status,
      arrival: await findArrival(trx, formId, row.id),
    };
  });
}

/** @param changes of the submission, the latest first @param row it as it is now */
function afterChange(
  changes: readonly SubmissionChange[],
  row: Pick<SubmissionRow, 'data' | 'ending'>,
  changeId: number,
): Pick<PayloadSubmission, 'answers' | 'ending'> & { edit: Edit } {
  const at = changes.findIndex(({ id }) => id === changeId);
  const change = changes[at];
  if (!change) throw invalid({ change: ['The selected change is invalid.'] });
  const after = [row.data, ...changes.slice(0, at).map(({ answers }) => answers)];
  const answers: Answers = Object.fromEntries(after.flatMap((some) => Object.entries(some)));
  // Only the last one is known.
  const ended = at === 0 && { ending: row.ending };
  return { answers, ...ended, edit: { at: change.changed_at, fieldIds: Object.keys(change.answers) } };
}
