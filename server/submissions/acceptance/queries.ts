import { type RawBuilder, sql } from 'kysely';
import type { SubmissionLookup } from '../../../fields/logic/logic.ts';
import type { Db, Transaction } from '../../db/database.ts';

/** Up to where a look-up, which follows it, has certainly seen the submissions of a form. */
export interface Look {
  /** Id of the latest submission, 0 without one. Ids are given under the form's lock, so submissions stored later have higher ones. */
  lastId: number;
  /** By the database's clock. */
  at: string;
}

/** To be asked before the look-up it is for. */
export async function nextLook(db: Db, formId: number): Promise<Look> {
  const { rows } = await sql<Look>`
    select clock_timestamp()::text as at,
      coalesce((select id from submissions where form_id = ${formId} order by form_id desc, id desc limit 1), 0) as "lastId"`.execute(
    db,
  );
  return rows[0] as Look;
}

/** Whether a completed submission other than `exceptPublicId` has this answer or, where answers are lists, contains it. */
export async function answerExists(
  db: Db,
  formId: number,
  lookup: SubmissionLookup,
  exceptPublicId: string | null,
): Promise<boolean> {
  const found = await sql`
    select from submissions where ${hasAnswer(formId, lookup, exceptPublicId)} limit 1`.execute(db);
  return found.rows.length > 0;
}

/**
 * Like `answerExists`, but only for submissions that came or changed since a look. The ten seconds in it are a margin: a change is
 * committed less than ten seconds after the moment it is dated with.
 */
export async function answerIsNew(
  trx: Transaction,
  formId: number,
  lookup: SubmissionLookup,
  exceptPublicId: string,
  { lastId, at }: Look,
): Promise<boolean> {
  const found = hasAnswer(formId, lookup, exceptPublicId);
  const { rows } = await sql<{ isNew: boolean }>`
    select exists (select from submissions where ${found} and id > ${lastId})
      or exists (select from submissions where ${found} and updated_at > created_at
        and updated_at > ${at}::timestamptz - interval '10 seconds') as "isNew"`.execute(trx);
  return rows[0]?.isNew === true;
}

function hasAnswer(
  formId: number,
  { propertyId, value }: SubmissionLookup,
  exceptPublicId: string | null,
): RawBuilder<boolean> {
  const probe = JSON.stringify({ [propertyId]: value });
  return sql`form_id = ${formId} and status = 'completed' and data @> ${probe}::jsonb
    and public_id is distinct from ${exceptPublicId}::uuid`;
}

/** The next number of the form's own sequence, for text fields with `generates_auto_increment_id`. */
export async function nextAutoIncrement(db: Db, formId: number): Promise<number | null> {
  const row = await db
    .updateTable('form_counters')
    .set({ auto_increment: sql`auto_increment + 1` })
    .where('form_id', '=', formId)
    .returning('auto_increment')
    .executeTakeFirst();
  return row?.auto_increment ?? null;
}

/** Marks a built-in captcha, proof of work or sum, as used. @returns false when it was used before. */
export async function spendChallenge(db: Db, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_challenges')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge_hash')
    .executeTakeFirst();
  return inserted !== undefined;
}
