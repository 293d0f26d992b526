import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Up to where a listener has been told of a form's submissions. */
export interface EventPosition {
  /** Id of the latest submission. */
  lastId: number;
  /** When the latest change was made, to the microsecond; '' before any. */
  changedAt: string;
  /** Number of the latest change of a review; 0 before any. */
  lastReview: number;
}

export interface SubmissionMark {
  id: number;
  submission_id: string;
  status: string;
}

interface ReviewMark {
  /** Numeric id of the submission. */
  id: number;
  state: string;
  notes: number;
}

export interface SubmissionNews {
  position: EventPosition;
  counters: { completed: number; partial: number };
  created: SubmissionMark[];
  changed: SubmissionMark[];
  /** Reviews with new decisions or notes. */
  reviewed: ReviewMark[];
  /** There is more than one look takes. */
  isMore: boolean;
}

/** Submissions per look that were created, and as many that were changed or reviewed. */
const MOST = 500;
const MOMENT = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`);

/** The present position and counters; null when the form is gone. */
export async function findPosition(
  db: Db,
  formId: number,
): Promise<Pick<SubmissionNews, 'position' | 'counters'> | null> {
  const { rows } = await sql<{
    completed: number;
    partial: number;
    last_id: number;
    changed_at: string;
    last_review: number;
  }>`
    select completed_count as completed, partial_count as partial,
      coalesce((select max(id) from submissions where form_id = ${formId}), 0) as last_id,
      coalesce((select to_char(max(updated_at) at time zone 'UTC', ${MOMENT}) from submissions
        where form_id = ${formId} and updated_at > created_at), '') as changed_at,
      coalesce((select max(last_change) from submission_reviews where form_id = ${formId}), 0) as last_review
    from form_counters where form_id = ${formId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { completed, partial, last_id: lastId, changed_at: changedAt, last_review: lastReview } = row;
  return { position: { lastId, changedAt, lastReview }, counters: { completed, partial } };
}

/**
 * What is new since a position; null when the form is gone. Submissions of a form are stored, changed and reviewed one after the
 * other, under the lock on form_counters. So ids, times and numbers of changes become visible in ascending order, and nothing new
 * is ever below a position.
 */
export async function findNews(
  db: Db,
  formId: number,
  { lastId, changedAt, lastReview }: EventPosition,
): Promise<SubmissionNews | null> {
  type Change = SubmissionMark & { at: string };
  const { rows } = await sql<{
    completed: number;
    partial: number;
    created: SubmissionMark[];
    changed: Change[];
    reviewed: (ReviewMark & { change: number })[];
  }>`
    select completed_count as completed, partial_count as partial,
      array(select jsonb_build_object('id', id, 'submission_id', public_id, 'status', status) from submissions
        where form_id = ${formId} and id > ${lastId} order by id limit ${MOST}) as created,
      array(select jsonb_build_object('id', id, 'submission_id', public_id, 'status', status,
          'at', to_char(updated_at at time zone 'UTC', ${MOMENT})) from submissions
        where form_id = ${formId} and updated_at > created_at
          and updated_at > ${changedAt || '-infinity'}::timestamptz
        order by updated_at limit ${MOST}) as changed,
      array(select jsonb_build_object('id', submission_id, 'state', state, 'notes', notes_count, 'change', last_change)
        from submission_reviews where form_id = ${formId} and last_change > ${lastReview}
        order by last_change limit ${MOST}) as reviewed
    from form_counters where form_id = ${formId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { completed, partial, created, changed, reviewed } = row;
  const fresh = new Set(created.map(({ id }) => id));
  return {
    position: {
      lastId: created.at(-1)?.id ?? lastId,
      changedAt: changed.at(-1)?.at ?? changedAt,
      lastReview: reviewed.at(-1)?.change ?? lastReview,
    },
    counters: { completed, partial },
    created,
    // A new submission that has changed since is listed once, as created.
    changed: changed.filter(({ id }) => !fresh.has(id)).map(({ at: _, ...mark }) => mark),
    reviewed: reviewed.map(({ change: _, ...mark }) => mark),
    isMore: [created, changed, reviewed].some(({ length }) => length === MOST),
  };
}
