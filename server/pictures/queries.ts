import { sql } from 'kysely';
import { PICTURE_NAME } from '../../fields/block-options/picture-path.ts';
import type { Db, Transaction } from '../db/database.ts';

export interface Picture {
  name: string;
  /** Bytes. */
  size: number;
  created_at: Date;
}

/** Pictures of a workspace, newest first. */
export async function listPictures(db: Db, workspaceId: number): Promise<Picture[]> {
  return db
    .selectFrom('pictures')
    .select(['name', 'created_at'])
    .select(sql<number>`octet_length(content)`.as('size'))
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute();
}

/** Number and bytes of all other pictures. */
export async function countOtherPictures(
  db: Db,
  workspaceId: number,
  name: string,
): Promise<{ count: number; size: number }> {
  return db
    .selectFrom('pictures')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(octet_length(content)), 0)::float8`.as('size'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('name', '!=', name)
    .executeTakeFirstOrThrow();
}

/** A picture stored before counts as new, and moves to the head of the list. */
export async function upsertPicture(
  db: Db,
  workspaceId: number,
  { name, content }: { name: string; content: Buffer },
): Promise<Picture> {
  return db
    .insertInto('pictures')
    .values({ workspace_id: workspaceId, name, content })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'name']).doUpdateSet({ created_at: sql`now()` }),
    )
    .returning(['name', 'created_at', sql<number>`octet_length(content)`.as('size')])
    .executeTakeFirstOrThrow();
}

/** In any workspace: the same name is the same picture. */
export async function findPicture(db: Db, name: string): Promise<Buffer | null> {
  const found = await db
    .selectFrom('pictures')
    .select('content')
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  return found?.content ?? null;
}

/** @returns false when there is none */
export async function deletePicture(db: Db, workspaceId: number, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pictures')
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Waits for whoever is saving forms of the workspace, and keeps them as they are until the transaction ends. Submissions are not held up. */
export async function holdFormsOfWorkspace(trx: Transaction, workspaceId: number): Promise<void> {
  await sql`select from forms where workspace_id = ${workspaceId} order by id for share`.execute(trx);
}

/** Titles of forms of the workspace that show the picture, or will once their drafts are published. */
export async function findFormsShowing(db: Db, workspaceId: number, name: string): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from forms left join unpublished_changes as changes on changes.form_id = forms.id
    where forms.workspace_id = ${workspaceId} and (
      strpos(forms.properties::text, ${name}) > 0
      or strpos(forms.presentation::text, ${name}) > 0
      or strpos(changes.definition::text, ${name}) > 0)
    order by forms.updated_at desc, forms.id`.execute(db);
  return rows.map(({ title }) => title);
}

/** Copies the pictures that a form shows or showed to the workspace that it moves to. */
export async function copyPicturesOfForm(trx: Transaction, formId: number, target: number): Promise<void> {
  await sql`
    with texts as (
      select properties::text as text from forms where id = ${formId}
      union all select presentation::text from forms where id = ${formId}
      union all select definition::text from unpublished_changes where form_id = ${formId}
      union all select definition::text from form_versions where form_id = ${formId}
    ), names as (
      select distinct (regexp_matches(text, ${`/pictures/(${PICTURE_NAME})`}::text, 'g'))[1] as name from texts
    )
    insert into pictures (workspace_id, name, content, created_at)
    select ${target}, pictures.name, pictures.content, pictures.created_at
    from pictures join forms on forms.workspace_id = pictures.workspace_id and forms.id = ${formId}
    where pictures.name in (select name from names)
    on conflict do nothing`.execute(trx);
}
