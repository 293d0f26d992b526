import { sql } from 'kysely';
import type { Answers } from '../../../fields/property.ts';
import type { Db, Transaction } from '../../db/database.ts';
import type { Json } from '../../db/schema.ts';
import type { Owed } from '../../payments/admit-unpaid.ts';
import type { Checkout } from '../../payments/checkout.ts';
import { isStill } from '../../payments/queries.ts';
import { type CutPage, readCutPage } from '../lists/page-queries.ts';
import type { SubmissionRow } from '../queries.ts';
import type { WaitingPlace } from '../retention/overdue-queries.ts';
import type { StoredAnswers } from '../store-queries.ts';
import { AWAITING_CODES, CONFIRMATION_DAYS, type Reason, SET_ASIDE_DAYS } from './reasons.ts';

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
  /** Id of the field that it answers; null for what was set aside before that was kept. */
  unconfirmed_field: string | null;
  /** What its sender has to pay, in the smallest unit of the currency; null for what waits for something else. */
  amount_due: number | null;
  due_currency: string | null;
  /** null before somebody has begun to pay. */
  checkout: Checkout | null;
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
  'unconfirmed_field',
  'amount_due',
  'due_currency',
  'checkout',
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
  /** What its sender has to confirm; null for suspected spam. */
  unconfirmed: { address: string; fieldId: string | null } | null;
  due: Owed | null;
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
  { reasons, unconfirmed, due }: Why,
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
      unconfirmed_address: unconfirmed?.address ?? null,
      unconfirmed_field: unconfirmed?.fieldId ?? null,
      ...(due && { amount_due: due.minor, due_currency: due.currency, sender: due.sender }),
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
  if (!row) return null;
  const { data, reasons, checkout, ...plain } = row;
  return {
    ...plain,
    data: data as Answers,
    reasons: reasons as Reason[],
    checkout: checkout as Checkout | null,
  };
}

/**
 * Only the row: what belongs to the submission goes on with it. The caller holds the lock of `lockFormGate`.
 * @returns false when it is not there any more, its answers have changed, or what is known of its payment has
 */
export async function takeSetAside(
  trx: Transaction,
  formId: number,
  { id, data, checkout }: Pick<SetAsideRow, 'id' | 'data' | 'checkout'>,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .where('data', '=', sql<Json>`${JSON.stringify(data)}::jsonb`)
    .where(isStill(checkout))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Somebody may be paying just now, or has: such a row is never deleted by the clock, nor by a sender who sends once more. */
export const MAY_BE_PAID = sql<boolean>`coalesce(checkout->>'state' <> 'closed', false)`;

/** What was set aside so long ago that nobody will decide about it, confirm its address or pay. */
export const OVERDUE_ASIDE: WaitingPlace = {
  table: 'set_aside_submissions',
  isOverdue: sql<boolean>`created_at <= now() - make_interval(days => ${sql.lit(CONFIRMATION_DAYS)})
    and not ${MAY_BE_PAID}
    and (${hasAny(AWAITING_CODES)} or created_at <= now() - make_interval(days => ${sql.lit(SET_ASIDE_DAYS)}))`,
  order: 'id',
};
