import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import { addressKeys } from './email.ts';

export interface User {
  id: number;
  name: string;
  email: string;
  created_at: Date;
  /** False for people who sign in by single sign-on alone. */
  has_password: boolean;
}

export interface UserWithPassword extends User {
  password_hash: string | null;
}

/** Any fixed number: the advisory lock of `lockFirstAndLastAccount`. */
const FIRST_AND_LAST_LOCK = 4_711_008_152;
const USER_COLUMNS = [
  'id',
  'name',
  'email',
  'created_at',
  sql<boolean>`password_hash is not null`.as('has_password'),
] as const;

export async function findUser(db: Db, id: number): Promise<User | null> {
  return (await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The same as `addressKey`, of a column `email`; unique indexes ensure it. */
export const ADDRESS_KEY = sql<string>`lower(email collate "C")`;

/** The account with exactly this address, else one whose address leads to the same mailbox. */
export async function findUserByEmail(db: Db, email: string) {
  const keys = addressKeys(email);
  const found = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'password_hash'])
    .where(ADDRESS_KEY, 'in', keys)
    .orderBy(sql`${ADDRESS_KEY} = ${keys[0]}`, 'desc')
    .orderBy('id')
    .executeTakeFirst();
  return found ?? null;
}

export async function findUserWithPassword(db: Db, id: number): Promise<UserWithPassword | null> {
  const found = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return found ?? null;
}

export async function anyUserExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function isOnlyUser(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('id', '<>', id).limit(1).executeTakeFirst()) ===
    undefined
  );
}

/** Until the transaction ends, nobody else registers the first account, or deletes one, which may be the last. */
export async function lockFirstAndLastAccount(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FIRST_AND_LAST_LOCK})`.execute(trx);
}

export function insertUser(
  db: Db,
  user: { name: string; email: string; password_hash: string | null },
): Promise<User> {
  return db.insertInto('users').values(user).returning(USER_COLUMNS).executeTakeFirstOrThrow();
}

export async function renameUser(db: Db, id: number, name: string): Promise<User | null> {
  const renamed = await db
    .updateTable('users')
    .set({ name, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(USER_COLUMNS)
    .executeTakeFirst();
  return renamed ?? null;
}

/** @returns null when the address was changed meanwhile */
export async function updateEmail(
  db: Db,
  { id, email: former }: Pick<User, 'id' | 'email'>,
  email: string,
): Promise<User | null> {
  const changed = await db
    .updateTable('users')
    .set({ email, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('email', '=', former)
    .returning(USER_COLUMNS)
    .executeTakeFirst();
  return changed ?? null;
}

/** @returns false when the password was changed meanwhile */
export async function updatePasswordHash(
  db: Db,
  { id, password_hash }: Pick<UserWithPassword, 'id' | 'password_hash'>,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: newHash, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('password_hash', 'is not distinct from', password_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sessions, tokens and memberships are deleted with the user. */
export async function deleteUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Lets the user join no workspace until the transaction has decided about the deletion. */
export async function lockUser(trx: Transaction, id: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
}

/**
 * Locks the forms that a person has made, and keeps those of these workspaces from being saved, until the transaction ends. As in the
 * intake, counters come before forms, each by id. Submissions to forms of others are not held up.
 * @param options.staying workspaces
 * @param options.going forms that are deleted with the person: only their counters are locked
 */
export async function lockFormsNaming(
  trx: Transaction,
  userId: number,
  { staying, going }: { staying: number[]; going: number[] },
): Promise<void> {
  const isOwn = sql`creator_id = ${userId} and id <> all(${going}::bigint[])`;
  await sql`
    select from form_counters
    where form_id = any(${going}::bigint[]) or form_id in (select id from forms where ${isOwn})
    order by form_id for update`.execute(trx);
  await sql`select from forms where ${isOwn} order by id for no key update`.execute(trx);
  await sql`
    select from forms where creator_id is distinct from ${userId} and workspace_id = any(${staying}::bigint[])
    order by id for share`.execute(trx);
}
