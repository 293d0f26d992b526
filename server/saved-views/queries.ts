import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { Definition } from './schemas.ts';

/** A view as it is stored, with the name of its creator. */
export interface SavedViewRow {
  id: number;
  name: string;
  definition: Definition;
  created_at: Date;
  updated_at: Date;
  created_by: string | null;
}

/** The unique index that refuses a second view of the same name. */
export const NAME_INDEX = 'saved_views_name_idx';

/** Oldest first. */
export async function listSavedViews(db: Db, formId: number): Promise<SavedViewRow[]> {
  const rows = await selectSavedViews(db, formId).orderBy('saved_views.id').execute();
  return rows.map(typed);
}

/** All views of a form, for changing them. */
export async function lockSavedViews(
  trx: Transaction,
  formId: number,
): Promise<Pick<SavedViewRow, 'id' | 'name' | 'definition'>[]> {
  const rows = await trx
    .selectFrom('saved_views')
    .where('form_id', '=', formId)
    .select(['id', 'name', 'definition'])
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(typed);
}

export async function findSavedView(db: Db, formId: number, id: number): Promise<SavedViewRow | null> {
  const row = await selectSavedViews(db, formId).where('saved_views.id', '=', id).executeTakeFirst();
  return row ? typed(row) : null;
}

export async function countSavedViews(db: Db, formId: number): Promise<number> {
  const { count } = await db
    .selectFrom('saved_views')
    .where('form_id', '=', formId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertSavedView(
  trx: Transaction,
  formId: number,
  { name, definition, userId }: { name: string; definition: Definition; userId: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('saved_views')
    .values({ form_id: formId, name, definition: JSON.stringify(definition), created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateSavedView(
  trx: Transaction,
  id: number,
  { name, definition }: Pick<SavedViewRow, 'name' | 'definition'>,
): Promise<void> {
  await trx
    .updateTable('saved_views')
    .set({ name, definition: JSON.stringify(definition), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** @returns its name, or null when there is no such view in the form */
export async function deleteSavedView(trx: Transaction, formId: number, id: number): Promise<string | null> {
  const row = await trx
    .deleteFrom('saved_views')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Gives one form the views of another, in the same order. */
export async function copySavedViews(
  trx: Transaction,
  fromId: number,
  toId: number,
  userId: number,
): Promise<void> {
  await sql`
    insert into saved_views (form_id, name, definition, created_by)
    select ${toId}, name, definition, ${userId} from saved_views where form_id = ${fromId} order by id`.execute(
    trx,
  );
}

function selectSavedViews(db: Db, formId: number) {
  return db
    .selectFrom('saved_views')
    .leftJoin('users', 'users.id', 'saved_views.created_by')
    .where('form_id', '=', formId)
    .select(['saved_views.id', 'saved_views.name', 'definition', 'saved_views.created_at'])
    .select(['saved_views.updated_at', 'users.name as created_by']);
}

function typed<Row extends { definition: unknown }>(row: Row) {
  return { ...row, definition: row.definition as Definition };
}
