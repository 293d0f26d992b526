import { sql } from 'kysely';
import type { KnownFile } from '../../fields/file-reference.ts';
import { FILE_TYPES } from '../../fields/type-names.ts';
import type { Db, Transaction } from '../db/database.ts';
import { fileLinkHours } from '../workspaces/queries.ts';
import type { FoundContent } from './check-content.ts';

interface NewUpload {
  id: string;
  formId: number;
  propertyId: string;
  name: string;
  storeName: string;
  /** Its maximum in bytes. */
  size: number;
  sender: Buffer | null;
}

/** A claim this old without its submission is void, because the intake gives up after a few seconds. */
const CLAIM_SECONDS = 60;

/** Unclaimed files and their bytes: of one sender, and of the whole form. */
interface Unclaimed {
  own: { count: number; size: number };
  all: { count: number; size: number };
}

/** Takes a lock until the transaction ends, so that uploads to the form are counted one at a time. */
export async function countUnclaimed(trx: Transaction, formId: number, sender: Buffer): Promise<Unclaimed> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${formId}`}, 0))`.execute(trx);
  const { rows } = await sql<{ own_count: number; own_size: number; count: number; size: number }>`
    select count(*) filter (where sender = ${sender}) as own_count,
      coalesce(sum(size) filter (where sender = ${sender}), 0)::float8 as own_size,
      count(*) as count, coalesce(sum(size), 0)::float8 as size
    from uploads where form_id = ${formId} and submission_public_id is null and removed_at is null`.execute(
    trx,
  );
  const { own_count = 0, own_size = 0, count = 0, size = 0 } = rows[0] ?? {};
  return { own: { count: own_count, size: own_size }, all: { count, size } };
}

export async function insertUpload(db: Db, upload: NewUpload): Promise<void> {
  const { id, formId, propertyId, name, storeName, size, sender } = upload;
  await db
    .insertInto('uploads')
    .values({ id, form_id: formId, property_id: propertyId, name, store_name: storeName, size, sender })
    .execute();
}

/** Notes that the file has arrived. @returns false when it was removed meanwhile */
export async function completeUpload(
  db: Db,
  id: string,
  { size, contentType }: FoundContent,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ size, content_type: contentType, received_at: sql`now()`, touched_at: sql`now()` })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** To be called once the files are gone. */
export async function deleteUploads(db: Db, ids: string[]): Promise<void> {
  await sql`delete from uploads where id = any(${ids}::uuid[])`.execute(db);
}

/** Those of these files that the submission may hold, because no other one does. */
export async function findFreeFiles(
  db: Db,
  formId: number,
  ids: string[],
  publicId: string,
): Promise<Map<string, KnownFile>> {
  const { rows } = await sql<{ id: string; name: string; size: number }>`
    select id, name, size from uploads
    where form_id = ${formId} and id = any(${ids}::uuid[]) and ${isFree(publicId)}`.execute(db);
  return new Map(rows.map(({ id, name, size }) => [id, { name, size }]));
}

/** Whether one of these files is claimed for a submission that does not exist, or not yet. */
export async function isInDoubt(db: Db, formId: number, ids: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from uploads
    where form_id = ${formId} and id = any(${ids}::uuid[]) and removed_at is null and not is_settled
      and submission_public_id is not null and not ${isOfSubmission}
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Gives a submission all of these files, or none. @returns false when one is no longer free */
export async function claimFiles(db: Db, formId: number, ids: string[], publicId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with free as materialized (
      select id from uploads
      where form_id = ${formId} and id = any(${ids}::uuid[]) and ${isFree(publicId)}
      order by id for update
    )
    update uploads set submission_public_id = ${publicId}, touched_at = now(),
      is_settled = is_settled and submission_public_id = ${publicId}
    from free where uploads.id = free.id and (select count(*) from free) = ${ids.length}`.execute(db);
  return Number(numAffectedRows ?? 0) === ids.length;
}

/** Frees the files of a submission that was not stored after all. */
export async function releaseFiles(db: Db, formId: number, publicId: string): Promise<void> {
  await sql`
    update uploads set submission_public_id = null, touched_at = now()
    where form_id = ${formId} and submission_public_id = ${publicId} and not is_settled`.execute(db);
}

/**
 * Marks the files that a submission no longer holds for removal. While its complete answers wait for a confirmation, what they name stays.
 * @returns whether there were any
 */
export async function markDropped(
  trx: Transaction,
  formId: number,
  publicId: string,
  keptIds: string[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set removed_at = now()
    where form_id = ${formId} and submission_public_id = ${publicId} and removed_at is null
      and not id = any(${keptIds}::uuid[])
      and not exists (
        select from set_aside_submissions aside
        where aside.form_id = uploads.form_id and aside.public_id = uploads.submission_public_id
          and ${namesUpload('aside')})`.execute(trx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Marks those of these uploads that no submission holds for removal. @returns how many */
export async function markUnheld(trx: Transaction, formId: number, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numAffectedRows } = await sql`
    with unheld as materialized (
      select id from uploads
      where form_id = ${formId} and id = any(${ids}::uuid[]) and submission_public_id is null and removed_at is null
      order by id for update
    )
    update uploads set removed_at = now() from unheld where uploads.id = unheld.id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Whether the file store may hold a file of this form. */
export async function hasUploads(db: Db, formId: number): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('id')
    .where('form_id', '=', formId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Download {
  name: string;
  store_name: string;
  content_type: string;
  size: number;
  /** How long links to it may be valid by the workspace's policy; null without a policy. */
  hours: number | null;
}

/**
 * A file to download; null also when its form is gone.
 * @param issued when its link was made, seconds since 1970: it rests once its form or submission is put into the trash, while those
 * that members get there work
 */
export async function findDownload(
  db: Db,
  formId: number,
  id: string,
  issued: number,
): Promise<Download | null> {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('forms', 'forms.id', 'uploads.form_id')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .select(['uploads.name', 'uploads.store_name', 'uploads.content_type', 'uploads.size'])
    .select(fileLinkHours().as('hours'))
    .where(isTrashedSince(issued), '=', false)
    .where('uploads.id', '=', id)
    .where('uploads.form_id', '=', formId)
    .where('uploads.received_at', 'is not', null)
    .where('uploads.removed_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Ids of the fields whose answers name files, including removed fields. */
export async function findFileFields(db: Db, formId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct property->>'id' as id
    from forms, jsonb_array_elements(properties || removed_properties) as property
    where forms.id = ${formId} and property->>'type' in (${sql.join(FILE_TYPES)})`.execute(db);
  return rows.map(({ id }) => id);
}

function isFree(publicId: string) {
  return sql`received_at is not null and removed_at is null and (
    submission_public_id is null or submission_public_id = ${publicId}
    or (not is_settled and touched_at < now() - make_interval(secs => ${CLAIM_SECONDS}::int)
      and not ${isOfSubmission}))`;
}

/** Whether the answers of a submission name the upload, perhaps in capitals. @param submission table or alias, with `data` */
export function namesUpload(submission: string) {
  return sql`strpos(lower(${sql.ref(`${submission}.data`)}::text), uploads.id::text) > 0`;
}

/** Condition on an upload: its form or submission is in the trash, from after this second. */
function isTrashedSince(second: number) {
  const after = sql`trashed_at >= to_timestamp(${second + 1}::float8)`;
  return sql<boolean>`(
    exists (select from trashed_forms where trashed_forms.form_id = uploads.form_id and ${after})
    or exists (select from trashed_submissions where trashed_submissions.form_id = uploads.form_id
      and trashed_submissions.public_id = uploads.submission_public_id and ${after}))`;
}

/** Condition on an upload: the submission that it is claimed for exists. */
export const isOfSubmission = sql`exists (
  select from submissions where submissions.form_id = uploads.form_id
    and submissions.public_id = uploads.submission_public_id)`;
