import { sql } from 'kysely';
import type { Answers } from '../../../fields/property.ts';
import type { Db, Transaction } from '../../db/database.ts';
import type { Json } from '../../db/schema.ts';
import type { StoredAnswers } from '../change-queries.ts';
import { type CutPage, readCutPage } from '../lists/page-queries.ts';
import type { WaitingPlace } from '../overdue-queries.ts';
import type { SubmissionRow } from '../queries.ts';
import { CONFIRMATION_DAYS, type Reason, SET_ASIDE_DAYS } from './reasons.ts';

/** A submission that was set aside. */
export interface SetAsideRow {
  id: number;
  public_id: string;
  data: Answers;
  attribution: SubmissionRow['attribution'];
  completion_time: number | null;
  reasons: Reason[];
  /** The address that its sender has to confirm; null for suspected spam. */
  unconfirmed_address: string | null;
  created_at: Date;
}

const COLUMNS = [
  'id',
  'public_id',
  'data',
  'attribution',
  'completion_time',
  'reasons',
  'unconfirmed_address',
  'created_at',
] as const;

/** What was set aside for any of some reasons; null for any at all. */
export type Reasons = readonly Reason[] | null;

export async function countSetAside(db: Db, formId: number, reasons: Reasons): Promise<number> {
  const { count } = await db
    .selectFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .$if(reasons !== null, (query) => query.where(hasAny(reasons)))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function hasAny(reasons: Reasons) {
  return sql<boolean>`reasons && ${[...(reasons ?? [])]}::text[]`;
}

/** Why a submission is set aside. */
interface Why {
  reasons: readonly Reason[];
  /** See `SetAsideRow`. */
  unconfirmedAddress: string | null;
}

/** The caller holds the lock of `lockFormGate`. */
export async function insertSetAside(
  trx: Transaction,
  formId: number,
  {
    publicId,
    answers,
    completionTime,
    attribution,
  }: Omit<StoredAnswers, 'ending'> & { attribution: object | null },
  { reasons, unconfirmedAddress }: Why,
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
      unconfirmed_address: unconfirmedAddress,
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
 * @param page.beforeId only what came before this one; null for the first page
 * @param isWhole see `readCutPage`
 */
export function findSetAside(
  db: Db,
  formId: number,
  { limit, beforeId, reasons }: { limit: number; beforeId: number | null; reasons: Reasons },
  isWhole: boolean,
): Promise<CutPage<SetAsideRow>> {
  const page = db
    .selectFrom('set_aside_submissions')
    .select(COLUMNS)
    .where('form_id', '=', formId)
    .$if(beforeId !== null, (query) => query.where('id', '<', beforeId ?? 0))
    .$if(reasons !== null, (query) => query.where(hasAny(reasons)))
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

/** What was set aside so long ago that nobody will decide about it, or confirm its address. */
export const OVERDUE_ASIDE: WaitingPlace = {
  table: 'set_aside_submissions',
  isOverdue: sql<boolean>`created_at <= now() - make_interval(days => ${sql.lit(CONFIRMATION_DAYS)})
    and (${hasAny(['unconfirmed_email'])} or created_at <= now() - make_interval(days => ${sql.lit(SET_ASIDE_DAYS)}))`,
  order: 'id',
};
