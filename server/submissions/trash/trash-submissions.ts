import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db } from '../../db/database.ts';
import { endpointChangesInForce } from '../../deliveries/endpoints.ts';
import { followInExports } from '../../exports/jobs/contained-queries.ts';
import { invalid } from '../../http/errors.ts';
import { underFormGate } from '../lock-gate.ts';
import { removeSubmissions } from '../remove-submissions.ts';
import {
  findMoment,
  findTrashedIds,
  insertTrashedSubmissions,
  type RestoredSubmission,
  restoreTrashedSubmissions,
} from './queries.ts';

/** Submissions deleted by one transaction: new submissions to the form wait for it. */
const CHUNK = 500;
/** A request begins no further step after this time. */
const EMPTYING_MS = 5_000;

/**
 * Moves submissions of a form to the trash. Those deleted meanwhile are skipped.
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile
 */
export async function trashSubmissions(db: Db, form: NamedForm, ids: number[], actor: Actor): Promise<void> {
  await underFormGate(db, form, async (trx) => {
    const count = await insertTrashedSubmissions(trx, form.id, ids);
    const details = { count, submission_ids: ids };
    if (count > 0) await recordEvent(trx, actor, { verb: 'submission.trashed', formId: form.id, details });
  });
}

/**
 * Takes submissions out of the trash, all or none.
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile, 422 on `submissionIds.<n>` for each that is not in
 * the trash, or was stored anew under the same public id
 */
export async function takeSubmissionsOut(
  db: Db,
  form: NamedForm,
  ids: number[],
  actor: Actor,
): Promise<RestoredSubmission[]> {
  return underFormGate(db, form, async (trx) => {
    const restored = await restoreTrashedSubmissions(trx, form.id, ids);
    await refuseLeft(trx, form.id, ids, new Set(restored.map(({ former_id }) => former_id)));
    await followInExports(trx, form.id, restored);
    const details = { count: restored.length, submission_ids: restored.map(({ id }) => id) };
    await recordEvent(trx, actor, { verb: 'submission.taken_out_of_trash', formId: form.id, details });
    return restored;
  });
}

/** @param back former ids of the restored submissions @throws HttpError 422 with the reason for each id that was not restored */
async function refuseLeft(trx: Db, formId: number, ids: readonly number[], back: ReadonlySet<number>) {
  const left = ids.filter((id) => !back.has(id));
  if (left.length === 0) return;
  const trashed = new Set(await findTrashedIds(trx, formId, { among: left, limit: left.length }));
  const problems = left.map((id) => {
    const problem = trashed.has(id)
      ? 'It was sent anew since: that submission has to go first.'
      : 'This submission is not in the trash.';
    return [`submissionIds.${ids.indexOf(id)}`, [problem]];
  });
  throw invalid(Object.fromEntries(problems));
}

/**
 * Deletes what is in the trash of a form now, in steps, for some seconds at most.
 * @param since `until` of the first call, to continue it; null for the first
 * @returns the moment of the first call, and whether everything that was in the trash then is deleted
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile
 */
export async function emptySubmissionTrash(
  db: Db,
  form: NamedForm,
  since: Date | null,
  actor: Actor,
): Promise<{ isDone: boolean; until: Date }> {
  const until = since ?? (await findMoment(db));
  const deadline = performance.now() + EMPTYING_MS;
  let isDone = false;
  let unsent = 0;
  while (!isDone && performance.now() < deadline) {
    const removed = await underFormGate(db, form, async (trx) => {
      const ids = await findTrashedIds(trx, form.id, { limit: CHUNK, until });
      return removeSubmissions(trx, form.id, ids, actor);
    });
    isDone = removed.submissions < CHUNK;
    unsent += removed.unsent;
  }
  if (unsent > 0) await endpointChangesInForce();
  return { isDone, until };
}
