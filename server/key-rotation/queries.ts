import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { SealedColumn } from './sealed-columns.ts';

export interface SealedRow {
  id: number;
  name: string;
  sealed: Buffer;
}

/** The key that the database belongs to; null before the first start. */
export async function findKeyInForce(db: Db): Promise<string | null> {
  const found = await db.selectFrom('secret_key').select('fingerprint').executeTakeFirst();
  return found?.fingerprint ?? null;
}

/** Like `findKeyInForce`, for a process that will encrypt with the key: it waits for the end of a rotation. */
export async function learnKeyInForce(db: Db): Promise<string | null> {
  const found = await db.selectFrom('secret_key').select('fingerprint').forKeyShare().executeTakeFirst();
  return found?.fingerprint ?? null;
}

/**
 * Like `findKeyInForce`, but others cannot rotate keys or write encrypted values until the transaction ends, and a process that starts
 * waits to learn the key. Whoever only reads, such as `pg_dump`, is not in the way.
 */
export async function lockKeyInForce(trx: Transaction, columns: SealedColumn[]): Promise<string | null> {
  const tables = columns.map(({ table }) => sql.table(table));
  await sql`lock table secret_key in exclusive mode`.execute(trx);
  await sql`lock table ${sql.join(tables)} in exclusive mode`.execute(trx);
  return findKeyInForce(trx);
}

/** Assigns the database to this key. */
export async function setKeyInForce(db: Db, fingerprint: string): Promise<void> {
  await db
    .insertInto('secret_key')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ fingerprint, rotated_at: sql`now()` }))
    .execute();
}

/** Does nothing when the database belongs to a key already. */
export async function insertKeyInForce(db: Db, fingerprint: string): Promise<void> {
  await db
    .insertInto('secret_key')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The next rows with an encrypted value, in the order of their key. */
export async function findSealedRows(
  db: Db,
  { table, column, key, name = key }: SealedColumn,
  after: number,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(key)} as id, ${sql.ref(name)}::text as name, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(key)} > ${after} and ${sql.ref(column)} is not null
    order by ${sql.ref(key)} limit ${limit}`.execute(db);
  return rows;
}

export async function updateSealedRows(
  trx: Transaction,
  { table, column, key }: SealedColumn,
  rows: { id: number; sealed: Buffer }[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = fresh.sealed
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ sealed }) => sealed)}::bytea[]) fresh (id, sealed)
    where ${sql.table(table)}.${sql.ref(key)} = fresh.id`.execute(trx);
}

/** Connections of services and commands other than this one. DATABASE_URL may add something to the name of each. */
export async function countOtherConnections(trx: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name ~ '^formstead( |$)' and pid <> pg_backend_pid()`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}
