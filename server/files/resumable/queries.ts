import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** A process has so long to put the parts of a file together; one that was killed leaves them to the next. */
const JOINING_SECONDS = 300;

export async function insertResumable(
  trx: Transaction,
  { id, length, metadata }: Pick<ResumableUpload, 'id' | 'length' | 'metadata'>,
): Promise<void> {
  await trx.insertInto('resumable_uploads').values({ upload_id: id, length, metadata }).execute();
}

/** An upload of this form that is under way, or has arrived and is held by nobody yet. */
export async function findResumable(db: Db, formId: number, id: string): Promise<ResumableUpload | null> {
  const { rows } = await sql<ResumableUpload>`
    select id, form_id as "formId", property_id as "propertyId", store_name as "storeName", received_at is not null as "isComplete",
      coalesce(resumable.length, size)::float8 as length, coalesce(resumable.received, size)::float8 as received,
      coalesce(metadata, '') as metadata
    from uploads left join resumable_uploads resumable on upload_id = id
    where id = ${id} and form_id = ${formId} and removed_at is null and submission_public_id is null
      and (received_at is not null or upload_id is not null)`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks an upload for as long as the transaction.
 * @returns the bytes that have arrived, and how many parts were begun; null when the upload is gone
 */
export async function lockResumable(
  trx: Transaction,
  id: string,
): Promise<{ received: number; parts: number } | null> {
  const { rows } = await sql<{ received: number; parts: number }>`
    with locked as (select upload_id, received from resumable_uploads where upload_id = ${id} for update)
    select received::float8 as received,
      (select count(*)::int from upload_parts where upload_parts.upload_id = locked.upload_id) as parts
    from locked`.execute(trx);
  return rows[0] ?? null;
}

/** The row comes before the file: whatever happens to this process, the file is known. */
export async function insertPart(
  trx: Transaction,
  { id, storeName, start, bytes }: { id: string; storeName: string; start: number; bytes: number },
): Promise<void> {
  await trx.insertInto('upload_parts').values({ store_name: storeName, upload_id: id, start }).execute();
  await setSize(trx, id, start + bytes);
}

/** Counts a part in that has arrived. @returns false when another one was first, or the upload is gone */
export async function takePart(
  trx: Transaction,
  { id, storeName, start, length }: { id: string; storeName: string; start: number; length: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('resumable_uploads')
    .set({ received: start + length })
    .where('upload_id', '=', id)
    .where('received', '=', start)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx.updateTable('upload_parts').set({ length }).where('store_name', '=', storeName).execute();
  await setSize(trx, id, start + length);
  return true;
}

/** What counts against the room for unclaimed files; and the day until the upload is given up begins anew. */
async function setSize(trx: Transaction, id: string, size: number): Promise<void> {
  await trx.updateTable('uploads').set({ size, touched_at: sql`now()` }).where('id', '=', id).execute();
}

/** Once its file is gone. */
export async function deletePart(db: Db, storeName: string): Promise<void> {
  await db.deleteFrom('upload_parts').where('store_name', '=', storeName).execute();
}

/** Lets one process put the parts of a complete upload together. @returns false while another one does */
export async function beginJoining(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update resumable_uploads set joining_until = now() + make_interval(secs => ${JOINING_SECONDS}::int)
    where upload_id = ${id} and received = length and (joining_until is null or joining_until < now())`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

export async function endJoining(db: Db, id: string): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ joining_until: null })
    .where('upload_id', '=', id)
    .execute();
}

/** Names in the file store of the parts that have arrived, in their order. */
export async function findArrivedParts(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_parts')
    .select('store_name')
    .where('upload_id', '=', id)
    .where('length', 'is not', null)
    .orderBy('start')
    .execute();
  return rows.map(({ store_name }) => store_name);
}

/** Of these uploads the parts that the file store may hold, arrived or not. */
export async function findParts(db: Db, ids: string[]): Promise<{ id: string; storeName: string }[]> {
  const { rows } = await sql<{ id: string; storeName: string }>`
    select upload_id as id, store_name as "storeName" from upload_parts where upload_id = any(${ids}::uuid[])`.execute(
    db,
  );
  return rows;
}

/** Once the files of its parts are gone. */
export async function deleteResumable(db: Db, id: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('upload_id', '=', id).execute();
}

/** Uploads that have arrived while their parts are still there: whoever put them together did not get to it. */
export async function findJoined(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('resumable_uploads')
    .innerJoin('uploads', 'uploads.id', 'upload_id')
    .select('upload_id')
    .where('received_at', 'is not', null)
    .limit(limit)
    .execute();
  return rows.map(({ upload_id }) => upload_id);
}
