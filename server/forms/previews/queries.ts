import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { PreviewDefinition } from './definition.ts';

/** Its form was put into the trash afterwards. Who looks at a form there still gets previews. */
const RESTS = sql<boolean>`exists (select from trashed_forms
  where trashed_forms.form_id = form_previews.form_id and trashed_at >= form_previews.created_at)`;

interface NewPreview {
  tokenHash: Buffer;
  workspaceId: number;
  formId: number | null;
  userId: number;
  definition: PreviewDefinition;
  showsCode: boolean;
}

/** Adds a preview for an hour. Only the latest `most` previews of the person stay. @returns when it expires */
export async function insertPreview(db: Db, preview: NewPreview, most: number): Promise<Date> {
  const { userId } = preview;
  const { expires_at } = await db
    .insertInto('form_previews')
    .values({
      token_hash: preview.tokenHash,
      workspace_id: preview.workspaceId,
      form_id: preview.formId,
      user_id: userId,
      definition: JSON.stringify(preview.definition),
      shows_code: preview.showsCode,
      expires_at: sql<Date>`now() + interval '1 hour'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  await sql`
    delete from form_previews where token_hash in (
      select token_hash from form_previews where user_id = ${userId}
      order by created_at desc, token_hash offset ${most})`.execute(db);
  return expires_at;
}

/** A preview that has not expired and does not rest, with the size of files that its workspace allows, in megabytes. */
export async function findPreview(db: Db, tokenHash: Buffer) {
  const row = await db
    .selectFrom('form_previews')
    .innerJoin('workspaces', 'workspaces.id', 'form_previews.workspace_id')
    .select(['definition', 'shows_code', 'max_file_size'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(RESTS, '=', false)
    .executeTakeFirst();
  return row ? { ...row, definition: row.definition as unknown as PreviewDefinition } : null;
}
