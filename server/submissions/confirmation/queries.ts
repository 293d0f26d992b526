import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import { MAY_BE_PAID } from '../set-aside/queries.ts';

/** A submission that waits until its sender confirms the address. */
export interface Waiting {
  /** Among what is set aside. */
  id: number;
  address: string;
  since: Date;
}

/** @returns null when it does not wait, or not any more */
export async function findWaiting(db: Db, formId: number, publicId: string): Promise<Waiting | null> {
  const row = await db
    .selectFrom('set_aside_submissions')
    .select(['id', 'unconfirmed_address as address', 'created_at as since'])
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where('unconfirmed_address', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row, address: row.address as string } : null;
}

/** How many submissions of a form wait. Reads an index of nothing else, as every answer with an address asks. */
export async function countWaiting(db: Db, formId: number): Promise<number> {
  const { count } = await db
    .selectFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .where('unconfirmed_address', 'is not', null)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** What waits under this public id gives way: its sender has sent the form again. What may be paid, or is, stays. */
export async function deleteWaiting(trx: Transaction, formId: number, publicId: string): Promise<void> {
  await trx
    .deleteFrom('set_aside_submissions')
    .where('form_id', '=', formId)
    .where('public_id', '=', publicId)
    .where(sql<boolean>`not ${MAY_BE_PAID}`)
    .execute();
}

/** An address that was confirmed, and when. */
export interface ConfirmedAddress {
  address: string;
  at: Date;
}

/** The same as the answer to a field; null for what has waited since before fields were kept. */
export interface ProvenAddress extends ConfirmedAddress {
  fieldId: string | null;
}

export async function insertConfirmedAddress(
  trx: Transaction,
  formId: number,
  publicId: string,
  { address, at, fieldId }: ProvenAddress,
): Promise<void> {
  await trx
    .insertInto('confirmed_addresses')
    .values({ form_id: formId, public_id: publicId, address, confirmed_at: at, field_id: fieldId })
    .onConflict((conflict) =>
      conflict
        .columns(['form_id', 'public_id'])
        .doUpdateSet({ address, confirmed_at: at, field_id: fieldId }),
    )
    .execute();
}

/** The confirmed addresses of some submissions, by their public ids. */
export async function findConfirmedAddresses(
  db: Db,
  formId: number,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, ConfirmedAddress>> {
  if (publicIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('confirmed_addresses')
    .select(['public_id', 'address', 'confirmed_at'])
    .where('form_id', '=', formId)
    .where('public_id', '=', sql<string>`any(${[...publicIds]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ public_id, address, confirmed_at: at }) => [public_id, { address, at }]));
}
