import type { MemberRole } from '../../access/abilities.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db } from '../../db/database.ts';
import { forbidden, invalid, notFound } from '../../http/errors.ts';
import { underFormGate } from '../lock-gate.ts';
import type { SubmissionKey } from '../queries.ts';
import {
  deleteNote,
  findNote,
  findReviews,
  findStanding,
  findStandings,
  insertEntries,
  type Review,
} from './queries.ts';
import type { ReviewState } from './states.ts';

/** Entries in the history of one submission. */
const MAX_ENTRIES = 300;
const FULL = `The history may not have more than ${MAX_ENTRIES} entries.`;

interface Said {
  state: ReviewState | undefined;
  note: string | null;
}

/**
 * Adds to the history of a submission. A state that it has already is not added again.
 * @throws HttpError 404, 409 when the form was moved meanwhile, or 422
 */
export function reviewSubmission(
  db: Db,
  form: NamedForm,
  key: SubmissionKey,
  { state, note }: Said,
  actor: Actor,
): Promise<Review> {
  if (state === undefined && note === null)
    throw invalid({ state: ['The state field is required where there is no note.'] });
  const { id: formId } = form;
  return underFormGate(db, form, async (trx) => {
    const before = await findStanding(trx, formId, key);
    if (!before) throw notFound('Submission');
    const { id } = before;
    const decided = state === undefined || state === before.state ? null : state;
    if (decided !== null || note !== null) {
      if (before.entries >= MAX_ENTRIES) throw invalid({ [note === null ? 'state' : 'note']: [FULL] });
      await insertEntries(trx, formId, [id], { userId: actor.userId, state: decided, note });
    }
    const target = { id, name: null };
    if (decided !== null) {
      const details = { state: decided, state_before: before.state };
      await recordEvent(trx, actor, { verb: 'submission.reviewed', formId, target, details });
    }
    if (note !== null) await recordEvent(trx, actor, { verb: 'submission.note_added', formId, target });
    return (await findReviews(trx, formId, [id])).get(id) ?? { state: before.state, notes: 0 };
  });
}

interface Decision {
  /** Ids of the submissions. */
  asked: number[];
  state: ReviewState;
  /** Those with any other state stay as they are; null or absent for none. */
  onlyFrom?: ReviewState | null | undefined;
}

/**
 * Gives several submissions of the form a state, all or none.
 * @returns for how many the state is new
 * @throws HttpError 409 when the form was moved meanwhile, 422 on `submissionIds.<n>`
 */
export function reviewSubmissions(
  db: Db,
  form: NamedForm,
  { asked, state, onlyFrom = null }: Decision,
  actor: Actor,
): Promise<number> {
  const { id: formId } = form;
  return underFormGate(db, form, async (trx) => {
    const others = (await findStandings(trx, formId, asked)).filter(
      (before) => before.state !== state && (onlyFrom === null || before.state === onlyFrom),
    );
    const full = others.filter(({ entries }) => entries >= MAX_ENTRIES);
    if (full.length > 0)
      throw invalid(Object.fromEntries(full.map(({ id }) => [`submissionIds.${asked.indexOf(id)}`, [FULL]])));
    if (others.length === 0) return 0;
    const ids = others.map(({ id }) => id);
    await insertEntries(trx, formId, ids, { userId: actor.userId, state, note: null });
    const details = { state, count: ids.length, submission_ids: ids };
    await recordEvent(trx, actor, { verb: 'submission.reviewed', formId, details });
    return ids.length;
  });
}

/**
 * Takes a note out of the history. Only its author and admins may.
 * @throws HttpError 403, 404, or 409 when the form was moved meanwhile
 */
export function removeNote(
  db: Db,
  form: NamedForm,
  { key, noteId }: { key: SubmissionKey; noteId: number },
  role: MemberRole,
  actor: Actor,
): Promise<void> {
  const { id: formId } = form;
  return underFormGate(db, form, async (trx) => {
    const note = await findNote(trx, formId, key, noteId);
    if (!note) throw notFound('Note');
    if (note.user_id !== actor.userId && role !== 'admin') throw forbidden();
    await deleteNote(trx, formId, noteId);
    const target = { id: note.submission_id, name: null };
    await recordEvent(trx, actor, { verb: 'submission.note_deleted', formId, target });
  });
}
