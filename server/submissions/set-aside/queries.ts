import { sql } from 'kysely';
import type { Answers } from '../../../fields/property.ts';
import type { Db, Transaction } from '../../db/database.ts';
import type { Json } from '../../db/schema.ts';
import type { StoredAnswers } from '../change-queries.ts';
import { type CutPage, readCutPage } from '../lists/page-queries.ts';
import type { WaitingPlace } from '../overdue-queries.ts';
import type { SubmissionRow } from '../queries.ts';
import { type Reason, SET_ASIDE_DAYS } from './reasons.ts';

/** A submission that was set aside. */
export interface SetAsideRow {
  id: number;
  public_id: string;
  data: Answers;
  attribution: SubmissionRow['attribution'];
  completion_time: number | null;
  reasons: Reason[];
  created_at: Date;
}

const COLUMNS = [
  'id',
  'public_id',
  'data',
  'attribution',
  'completion_time',
  'reasons',
  'created_at',
] as const;

export async function countSetAside(db: Db, formId: number): Promise<number> {
  const { count } = await db
    .selectFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The caller holds the lock of `lockFormGate`. */
export async function insertSetAside(
  trx: Transaction,
  formId: number,
  { publicId, answers, completionTime }: Omit<StoredAnswers, 'ending'>,
  attribution: object | null,
  reasons: readonly Reason[],
): Promise<void> {
  await trx
    .insertInto('set_aside_submissions')
    .values({
      form_id: formId,
      public_id: publicId,
      data: JSON.stringify(answers),
      attribution: attribution && JSON.stringify(attribution),
      completion_time: completionTime,
      reasons: [...reasons],
    })
    .execute();
}

/** The upload of a file is over when its submission was set aside: nothing else may claim it, and nobody asks any more who sent it. */
export async function settleFiles(trx: Transaction, formId: number, publicId: string): Promise<void> {
  await sql`
    update uploads set is_settled = true, sender = null
    where form_id = ${formId} and submission_public_id = ${publicId} and removed_at is null`.execute(trx);
}

/**
 * One page of what a form has set aside, the latest first.
 * @param beforeId only what came before this one; null for the first page
 * @param isWhole see `readCutPage`
 */
export function findSetAside(
  db: Db,
  formId: number,
  { limit, beforeId }: { limit: number; beforeId: number | null },
  isWhole: boolean,
): Promise<CutPage<SetAsideRow>> {
  const page = db
    .selectFrom('set_aside_submissions')
    .select(COLUMNS)
    .where('form_id', '=', formId)
    .$if(beforeId !== null, (query) => query.where('id', '<', beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit);
  return readCutPage<SetAsideRow>(db, sql`${page}`, isWhole);
}

export async function findOneSetAside(db: Db, formId: number, id: number): Promise<SetAsideRow | null> {
  const row = await db
    .selectFrom('set_aside_submissions')
    .select(COLUMNS)
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, data: row.data as Answers, reasons: row.reasons as Reason[] } : null;
}

/**
 * Only the row: what belongs to the submission goes on with it. The caller holds the lock of `lockFormGate`.
 * @returns false when it is not there any more, or its answers have changed
 */
export async function takeSetAside(
  trx: Transaction,
  formId: number,
  { id, data }: Pick<SetAsideRow, 'id' | 'data'>,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .where('data', '=', sql<Json>`${JSON.stringify(data)}::jsonb`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** What was set aside so long ago that nobody will decide about it. */
export const OVERDUE_ASIDE: WaitingPlace = {
  table: 'set_aside_submissions',
  isOverdue: sql<boolean>`created_at <= now() - make_interval(days => ${sql.lit(SET_ASIDE_DAYS)})`,
  order: 'id',
};
