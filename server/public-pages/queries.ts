import { sql } from 'kysely';
import type { Answers, ErrorBag } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import type { Draft } from './visit/drafts.ts';

export async function findDraft(
  db: Db,
  formId: number,
  idHash: Buffer,
): Promise<(Draft & { savedAt: Date }) | null> {
  const row = await db
    .selectFrom('form_drafts')
    .select(['answers', 'problems', 'updated_at'])
    .where('form_id', '=', formId)
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  if (!row) return null;
  return {
    answers: row.answers as Answers,
    problems: row.problems as ErrorBag,
    savedAt: row.updated_at,
  };
}

export async function upsertDraft(db: Db, formId: number, idHash: Buffer, draft: Draft): Promise<void> {
  const answers = JSON.stringify(draft.answers);
  const problems = JSON.stringify(draft.problems);
  await db
    .insertInto('form_drafts')
    .values({ form_id: formId, id_hash: idHash, answers, problems })
    .onConflict((conflict) =>
      conflict.columns(['form_id', 'id_hash']).doUpdateSet({ answers, problems, updated_at: sql`now()` }),
    )
    .execute();
}

/** @returns false if there is no such draft */
export async function updateDraft(db: Db, formId: number, idHash: Buffer, draft: Draft): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('form_drafts')
    .set({
      answers: JSON.stringify(draft.answers),
      problems: JSON.stringify(draft.problems),
      updated_at: sql`now()`,
    })
    .where('form_id', '=', formId)
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts the drafts of a form and their bytes, up to a limit. */
export async function measureDrafts(
  db: Db,
  formId: number,
  limit: number,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(size), 0)::float8 as bytes
    from (
      select pg_column_size(answers) + pg_column_size(problems) as size
      from form_drafts where form_id = ${formId} limit ${limit}
    ) drafts`.execute(db);
  return rows[0] ?? { count: 0, bytes: 0 };
}

export async function deleteDraft(db: Db, formId: number, idHash: Buffer): Promise<void> {
  await db.deleteFrom('form_drafts').where('form_id', '=', formId).where('id_hash', '=', idHash).execute();
}

/** A complete submission as its sender sees it, whether it was set aside or not. */
interface SentSubmission {
  answers: Answers;
  receivedAt: Date;
  /** When its answers became what they are. */
  unchangedSince: Date;
  /** The address that the sender has to confirm; null for none. */
  unconfirmedAddress: string | null;
}

/** @returns null if it is gone, in the trash, or not complete */
export async function findSent(db: Db, formId: number, publicId: string): Promise<SentSubmission | null> {
  const stored = await db
    .selectFrom('submissions')
    .select(['data', 'created_at', 'updated_at'])
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('status', '=', 'completed')
    .executeTakeFirst();
  if (stored) {
    const { data, created_at: receivedAt, updated_at: unchangedSince } = stored;
    return { answers: data as Answers, receivedAt, unchangedSince, unconfirmedAddress: null };
  }
  const row = await db
    .selectFrom('set_aside_submissions')
    .select(['data', 'created_at', 'unconfirmed_address as unconfirmedAddress'])
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { data, created_at: receivedAt, unconfirmedAddress } = row;
  return { answers: data as Answers, receivedAt, unchangedSince: receivedAt, unconfirmedAddress };
}

/** The stored answers of a submission, by its public id; null if it is gone. */
export async function findAnswers(
  db: Db,
  formId: number,
  publicId: string,
  status: 'completed' | 'partial',
): Promise<Answers | null> {
  const row = await db
    .selectFrom('submissions')
    .select('data')
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('status', '=', status)
    .executeTakeFirst();
  return row ? (row.data as Answers) : null;
}
