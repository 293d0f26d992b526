import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';

/** Newest versions of a form that are kept. */
export const MAX_VERSIONS = 200;

export interface NewVersion {
  /** Names of the members that changed; none for a form that is new. */
  changed: string[];
  /** The version that was brought back. */
  restoredFrom: number | null;
  /** null = the operator. */
  savedBy: number | null;
}

/** Keeps a form as it is now, which its lock has to hold, and forgets the oldest of too many versions. */
export async function insertVersion(
  trx: Transaction,
  formId: number,
  { changed, restoredFrom, savedBy }: NewVersion,
): Promise<void> {
  await sql`
    insert into form_versions (form_id, version, definition, changed, restored_from, saved_by)
    select id, version, presentation || jsonb_build_object('title', title, 'properties', properties),
      ${changed}::text[], ${restoredFrom}::int, ${savedBy}::bigint
    from forms where id = ${formId}`.execute(trx);
  await sql`
    delete from form_versions where form_id = ${formId} and version <= (
      select version from form_versions where form_id = ${formId}
      order by version desc offset ${MAX_VERSIONS} limit 1)`.execute(trx);
}

export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

/** All that are kept of a form, the newest first. */
export function listVersions(db: Db, formId: number) {
  return selectVersions(db, formId).orderBy('kept.version', 'desc').execute();
}

/** With the definition: `title`, `properties`, and of everything else what was stored. */
export async function findVersion(db: Db, formId: number, version: number) {
  const row = await selectVersions(db, formId)
    .select(sql<Record<string, unknown>>`kept.definition`.as('definition'))
    .where('kept.version', '=', version)
    .executeTakeFirst();
  return row ?? null;
}

function selectVersions(db: Db, formId: number) {
  return db
    .selectFrom('form_versions as kept')
    .leftJoin('users', 'users.id', 'kept.saved_by')
    .select(['kept.version', 'kept.changed', 'kept.restored_from', 'kept.saved_at', 'kept.saved_by'])
    .select('users.name as saved_by_name')
    .where('kept.form_id', '=', formId);
}
