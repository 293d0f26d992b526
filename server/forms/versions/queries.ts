import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

/** Versions kept per form; beyond that the oldest are deleted. */
export const MAX_VERSIONS = 200;

interface NewVersion {
  /** Names of the members that changed; none for a new form. */
  changed: string[];
  /** The version that was restored; null for any other change. */
  restoredFrom: number | null;
  /** null for the operator. */
  savedBy: number | null;
}

/** The definition of a version, for queries of `forms`. */
const DEFINITION = sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(
    forms.presentation || jsonb_build_object('title', forms.title, 'properties', forms.properties)) as member
  where key = any(${[...VERSIONED_MEMBERS]}::text[]))`;

/** Keeps the form as it is now. The caller holds its lock. */
export async function insertVersion(
  trx: Transaction,
  formId: number,
  { changed, restoredFrom, savedBy }: NewVersion,
): Promise<void> {
  await sql`
    insert into form_versions (form_id, version, definition, changed, restored_from, saved_by)
    select id, version, ${DEFINITION}, ${changed}::text[], ${restoredFrom}::int, ${savedBy}::bigint
    from forms where id = ${formId}`.execute(trx);
}

/**
 * Keeps the form as it is before a save, if that was not done when it was last changed: by an older Formstead, or by SQL, so that it
 * is not known who did. The caller holds its lock.
 */
export async function insertVersionUnlessKept(trx: Transaction, formId: number): Promise<void> {
  await sql`
    insert into form_versions (form_id, version, definition, saved_at)
    select id, version, definition, updated_at
    from (select id, version, updated_at, ${DEFINITION} as definition from forms where id = ${formId}) as form
    where definition is distinct from (
      select kept.definition from form_versions as kept where kept.form_id = ${formId} order by kept.version desc limit 1)
    on conflict do nothing`.execute(trx);
}

interface DraftVersion {
  /** Those members of the draft that versions contain. */
  members: { [name: string]: unknown };
  changed: string[];
  savedBy: number | null;
  savedAt: Date;
}

/** Keeps the form as a draft would have changed it. The caller holds its lock. */
export async function insertDraftVersion(
  trx: Transaction,
  formId: number,
  { members, changed, savedBy, savedAt }: DraftVersion,
): Promise<void> {
  await sql`
    insert into form_versions (form_id, version, definition, changed, saved_by, saved_at, of_draft)
    select id, version, ${DEFINITION} || ${JSON.stringify(members)}::jsonb, ${changed}::text[], ${savedBy}::bigint,
      ${savedAt}::timestamptz, true
    from forms where id = ${formId}`.execute(trx);
}

/** Raises the version of a form that stays as it is; a draft that was begun from it is as up to date as before. */
export async function raiseVersion(trx: Transaction, formId: number): Promise<void> {
  await sql`
    with raised as (update forms set version = version + 1 where id = ${formId} returning version)
    update unpublished_changes set base_version = raised.version from raised
    where form_id = ${formId} and base_version = raised.version - 1`.execute(trx);
}

/** Deletes the oldest versions beyond `MAX_VERSIONS`. */
export async function deleteOldVersions(trx: Transaction, formId: number): Promise<void> {
  await sql`
    delete from form_versions where form_id = ${formId} and version <= (
      select version from form_versions where form_id = ${formId}
      order by version desc offset ${MAX_VERSIONS} limit 1)`.execute(trx);
}

/** The number of the newest version; null without any. */
export async function newestVersion(db: Db, formId: number): Promise<number | null> {
  const row = await db
    .selectFrom('form_versions')
    .select((kept) => kept.fn.max('version').as('version'))
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return row?.version ?? null;
}

export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

/** All versions of a form, the newest first. */
export function listVersions(db: Db, formId: number) {
  return selectVersions(db, formId).orderBy('kept.version', 'desc').execute();
}

/** A version with its definition: `title`, `properties` and other members as they were stored. */
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
    .select([
      'kept.version',
      'kept.changed',
      'kept.restored_from',
      'kept.saved_at',
      'kept.saved_by',
      'kept.of_draft',
    ])
    .select('users.name as saved_by_name')
    .where('kept.form_id', '=', formId);
}
