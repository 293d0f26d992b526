import { sql } from 'kysely';
import type { AmountDue } from '../../fields/payment.ts';
import type { Answers } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { PaymentMode } from './account.ts';
import { type AwaitedPayment, type Checkout, dueOf, type ReceivedPayment } from './checkout.ts';

/** Somebody may be paying just now. Literally as in the index of `findToAsk`. */
const IS_UNDER_WAY = sql<boolean>`checkout->>'state' in ('open', 'processing')`;

/** Pause before Stripe is asked again about a payment that could not be settled. */
const POSTPONED_SECONDS = 900;

/** Whether what is known of a payment is still this. */
export function isStill(checkout: Checkout | null) {
  return sql<boolean>`checkout is not distinct from ${checkout && JSON.stringify(checkout)}::jsonb`;
}

/** The caller stores the submission in the same transaction. */
export async function insertPayment(
  trx: Transaction,
  formId: number,
  publicId: string,
  { reference, minor, currency, mode, at }: ReceivedPayment,
): Promise<void> {
  const values = { provider: 'stripe', reference, amount_minor: minor, currency, mode, paid_at: at };
  await trx
    .insertInto('payments')
    .values({ form_id: formId, public_id: publicId, ...values })
    .execute();
}

/** The payment of a submission; null without one. */
export async function findPayment(db: Db, formId: number, publicId: string): Promise<ReceivedPayment | null> {
  return (await findPayments(db, formId, [publicId])).get(publicId) ?? null;
}

/** The payments of some submissions, by their public ids. */
export async function findPayments(
  db: Db,
  formId: number,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, ReceivedPayment>> {
  if (publicIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('payments')
    .select(['public_id', 'reference', 'amount_minor as minor', 'currency', 'mode', 'paid_at as at'])
    .where('form_id', '=', formId)
    .where('public_id', '=', sql<string>`any(${[...publicIds]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ public_id, mode, ...payment }) => [public_id, { ...payment, mode: mode as PaymentMode }]),
  );
}

/** What is known of money for those of what is set aside that wait to be paid, or are paid, by their ids. */
export async function findAwaitedPayments(
  db: Db,
  formId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AwaitedPayment>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('set_aside_submissions')
    .select(['id', 'amount_due', 'due_currency', 'checkout'])
    .where('form_id', '=', formId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('amount_due', 'is not', null)
    .execute();
  return new Map(
    rows.map(({ id, checkout, ...due }) => [id, { ...due, checkout: checkout as Checkout | null }]),
  );
}

/** A submission that waits to be paid, or is paid and was not taken in. */
export interface Unpaid {
  /** Among what is set aside. */
  id: number;
  publicId: string;
  answers: Answers;
  due: AmountDue;
  checkout: Checkout | null;
}

const UNPAID_COLUMNS = ['id', 'public_id', 'data', 'amount_due', 'due_currency', 'checkout'] as const;

/** What waits under this public id, the latest first: a partial submission may have been completed more than once. */
export async function findUnpaid(db: Db, formId: number, publicId: string): Promise<Unpaid[]> {
  const rows = await db
    .selectFrom('set_aside_submissions')
    .select(UNPAID_COLUMNS)
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('amount_due', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  return rows.flatMap(unpaidIn);
}

export async function findOneUnpaid(db: Db, formId: number, id: number): Promise<Unpaid | null> {
  const row = await db
    .selectFrom('set_aside_submissions')
    .select(UNPAID_COLUMNS)
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? (unpaidIn(row)[0] ?? null) : null;
}

function unpaidIn(row: {
  id: number;
  public_id: string;
  data: unknown;
  amount_due: number | null;
  due_currency: string | null;
  checkout: unknown;
}): Unpaid[] {
  const checkout = row.checkout as Checkout | null;
  const due = dueOf({ ...row, checkout });
  return due === null
    ? []
    : [{ id: row.id, publicId: row.public_id, answers: row.data as Answers, due, checkout }];
}

/** How many submissions of a form wait to be paid: of all senders, and of one. */
export async function countUnpaid(
  db: Db,
  formId: number,
  sender: Buffer,
): Promise<{ all: number; own: number }> {
  return db
    .selectFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .where('amount_due', 'is not', null)
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where sender = ${sender})`.as('own'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Notes what is now known of a payment.
 * @param before what was known; when that has changed meanwhile, nothing is noted
 * @returns whether it was noted
 */
export async function noteCheckout(
  db: Db,
  formId: number,
  { id, checkout: before }: Pick<Unpaid, 'id' | 'checkout'>,
  checkout: Checkout,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('set_aside_submissions')
    .set({
      checkout: JSON.stringify(checkout),
      ...(checkout.state === 'paid' && { reasons: ['paid_but_refused'], sender: null }),
    })
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .where(isStill(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Payments that Stripe is to be asked about now, those due longest first. */
export async function findToAsk(db: Db, limit: number): Promise<{ id: number; formId: number }[]> {
  const { rows } = await sql<{ id: number; formId: number }>`
    select id, form_id as "formId" from set_aside_submissions
    where ${IS_UNDER_WAY} and (checkout->>'askAt')::bigint <= extract(epoch from now())
    order by (checkout->>'askAt')::bigint limit ${limit}`.execute(db);
  return rows;
}

/** Leaves a payment that could not be settled to a later turn. */
export async function postponeAsking(db: Db, formId: number, id: number): Promise<void> {
  await sql`
    update set_aside_submissions
    set checkout = jsonb_set(checkout, '{askAt}', to_jsonb(extract(epoch from now())::bigint + ${POSTPONED_SECONDS}))
    where form_id = ${formId} and id = ${id} and ${IS_UNDER_WAY}`.execute(db);
}

/** Whether somebody may be paying for any of these just now. */
export async function isAnyBeingPaid(db: Db, formId: number, ids: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select from set_aside_submissions
    where form_id = ${formId} and id = any(${[...ids]}::bigint[]) and ${IS_UNDER_WAY}
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether somebody may be paying at any of these forms just now, and it can be found out. */
export async function isAnyFormBeingPaid(db: Db, formIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select from set_aside_submissions
    where form_id = any(${[...formIds]}::bigint[]) and amount_due is not null and ${IS_UNDER_WAY}
      and checkout->'isUnknown' is distinct from 'true'
      and exists (
        select from forms join workspace_payment_accounts using (workspace_id) where forms.id = set_aside_submissions.form_id
      )
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether a form has what is paid, and was not taken in. */
export async function hasPaidButRefused(db: Db, formId: number): Promise<boolean> {
  const { rows } = await sql`
    select from set_aside_submissions
    where form_id = ${formId} and amount_due is not null and checkout->>'state' = 'paid' limit 1`.execute(db);
  return rows.length > 0;
}
