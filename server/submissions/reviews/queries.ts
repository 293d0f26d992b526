import { type RawBuilder, sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import type { SubmissionKey } from '../queries.ts';
import type { ReviewState } from './states.ts';

/** The state that a team has decided on for a submission, and the number of its notes. */
export interface Review {
  state: ReviewState;
  notes: number;
}

export interface ReviewEntry {
  submission_id: number;
  id: number;
  user_id: number | null;
  /** null when the account is gone. */
  user_name: string | null;
  state: ReviewState | null;
  note: string | null;
  created_at: Date;
}

/** The reviews of these submissions by their numeric ids; submissions without decisions and notes are missing. */
export async function findReviews(db: Db, formId: number, ids: number[]): Promise<Map<number, Review>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('submission_reviews')
    .select(['submission_id', 'state', 'notes_count'])
    .where('form_id', '=', formId)
    .where(sql<boolean>`submission_id = any(${ids}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.submission_id, { state: row.state as ReviewState, notes: row.notes_count }]),
  );
}

/** The decisions and notes about these submissions, the oldest first. */
export async function findEntries(db: Db, formId: number, ids: number[]): Promise<ReviewEntry[]> {
  const rows = await db
    .selectFrom('review_entries')
    .leftJoin('users', 'users.id', 'review_entries.user_id')
    .select(['submission_id', 'review_entries.id', 'user_id', 'users.name as user_name', 'state', 'note'])
    .select('review_entries.created_at')
    .where('form_id', '=', formId)
    .where(sql<boolean>`submission_id = any(${ids}::bigint[])`)
    .orderBy('review_entries.id')
    .execute();
  return rows as ReviewEntry[];
}

export async function countReviews(db: Db, formId: number) {
  const { rows } = await sql<Record<ReviewState | 'noted', number>>`
    select submissions - has_issues - approved - rejected as received, has_issues, approved, rejected, noted
    from (
      select count(*) filter (where state = 'has_issues') as has_issues,
        count(*) filter (where state = 'approved') as approved,
        count(*) filter (where state = 'rejected') as rejected,
        count(*) filter (where notes_count > 0) as noted
      from submission_reviews where form_id = ${formId}
    ) decided, lateral (
      select coalesce(sum(completed_count + partial_count), 0)::bigint as submissions
      from form_counters where form_id = ${formId}
    ) counted`.execute(db);
  return rows[0] as Record<ReviewState | 'noted', number>;
}

/** The state of a submission's review. */
interface Standing {
  id: number;
  state: ReviewState;
  /** Number of entries in its history. */
  entries: number;
}

/** @returns null when the form has no such submission */
export async function findStanding(db: Db, formId: number, key: SubmissionKey): Promise<Standing | null> {
  const { rows } = await standings(formId, isNamed(key)).execute(db);
  return rows[0] ?? null;
}

export async function findStandings(db: Db, formId: number, ids: number[]): Promise<Standing[]> {
  const { rows } = await standings(formId, sql`submissions.id = any(${ids}::bigint[])`).execute(db);
  return rows;
}

function standings(formId: number, which: RawBuilder<unknown>) {
  return sql<Standing>`
    select submissions.id, coalesce(review.state, 'received') as state,
      (select count(*) from review_entries entry
        where entry.form_id = submissions.form_id and entry.submission_id = submissions.id) as entries
    from submissions left join submission_reviews review
      on review.form_id = submissions.form_id and review.submission_id = submissions.id
    where submissions.form_id = ${formId} and ${which}`;
}

function isNamed(key: SubmissionKey): RawBuilder<boolean> {
  return 'id' in key
    ? sql`submissions.id = ${key.id}::bigint`
    : sql`submissions.public_id = ${key.public_id}::uuid`;
}

interface NewEntry {
  userId: number | null;
  /** null leaves the state as it is. */
  state: ReviewState | null;
  note: string | null;
}

/** Adds the same entry to the history of each submission. The caller holds the form's lock, so changes get numbers in their order. */
export async function insertEntries(
  trx: Transaction,
  formId: number,
  ids: number[],
  { userId, state, note }: NewEntry,
): Promise<void> {
  await sql`
    with said as (
      insert into review_entries (form_id, submission_id, user_id, state, note)
      select ${formId}, id, ${userId}, ${state}, ${note} from unnest(${ids}::bigint[]) as id
    )
    insert into submission_reviews (form_id, submission_id, state, notes_count)
    select ${formId}, id, coalesce(${state}, 'received'), ${note === null ? 0 : 1} from unnest(${ids}::bigint[]) as id
    on conflict (form_id, submission_id) do update set
      state = coalesce(${state}, submission_reviews.state),
      notes_count = submission_reviews.notes_count + excluded.notes_count,
      last_change = excluded.last_change`.execute(trx);
}

interface FoundNote {
  submission_id: number;
  user_id: number | null;
}

/** Finds a note only if it is about this submission of this form. */
export async function findNote(
  db: Db,
  formId: number,
  key: SubmissionKey,
  noteId: number,
): Promise<FoundNote | null> {
  const { rows } = await sql<FoundNote>`
    select submissions.id as submission_id, user_id
    from submissions join review_entries entry
      on entry.form_id = submissions.form_id and entry.submission_id = submissions.id
    where submissions.form_id = ${formId} and ${isNamed(key)} and entry.id = ${noteId} and note is not null`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Deletes a note; a decision in the same entry stays. */
export async function deleteNote(trx: Transaction, formId: number, noteId: number): Promise<void> {
  await sql`
    with gone as (
      delete from review_entries where form_id = ${formId} and id = ${noteId} and note is not null and state is null
      returning submission_id
    ),
    emptied as (
      update review_entries set note = null
      where form_id = ${formId} and id = ${noteId} and note is not null and state is not null
      returning submission_id
    )
    update submission_reviews set notes_count = notes_count - 1, last_change = nextval('review_changes')
    where form_id = ${formId} and submission_id in (
      select submission_id from gone union all select submission_id from emptied)`.execute(trx);
}
