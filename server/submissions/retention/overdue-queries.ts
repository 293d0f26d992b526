import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Where submissions wait until their time is over. */
export interface WaitingPlace {
  table: 'trashed_submissions' | 'set_aside_submissions';
  isOverdue: RawBuilder<boolean>;
  /** Column by which the longest waiting come first. */
  order: 'trashed_at' | 'id';
}

/** Forms with submissions there whose time is over. */
export async function findFormsWithOverdue(
  db: Db,
  { table, isOverdue }: WaitingPlace,
): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct form_id as id from ${sql.table(table)} where ${isOverdue} order by id`.execute(db);
  return rows;
}

/** Up to `limit` of them in a form. */
export async function findOverdueIds(
  db: Db,
  { table, isOverdue, order }: WaitingPlace,
  formId: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where form_id = ${formId} and ${isOverdue}
    order by ${sql.ref(order)} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
