import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { PaymentMode } from './account.ts';
import type { ReceivedPayment } from './checkout.ts';

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
