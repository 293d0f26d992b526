import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** A process that puts the parts of a file together says so again within this; one that was killed leaves them to the next. */
const JOINING_SECONDS = 120;
/** A part that is still being received is left alone for so long, more than its request may take. */
const RECEIVING_HOURS = 1;
/** Bytes of the room for unclaimed files that a part takes at least: it is a file of its own. */
export const LEAST_ROOM = 256 * 1024;

/** Of a part: the store may be given more of it at any moment. */
const isArriving = sql`(upload_parts.length is null
  and begun_at > now() - make_interval(hours => ${RECEIVING_HOURS}::int))`;
/** Of a row of `uploads` that has one of `resumable_uploads`: nothing is being stored for it. */
export const isPartlyAtRest = sql`(not exists (
    select from upload_parts where upload_id = uploads.id and ${isArriving})
  and not exists (select from resumable_uploads where upload_id = uploads.id and joining_until > now()))`;

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
 * Locks an upload for as long as the transaction: who gives it up comes before, or knows what is begun now.
 * @returns the bytes that have arrived, and how many parts were begun; null when the upload is gone or complete
 */
export async function lockResumable(
  trx: Transaction,
  id: string,
): Promise<{ received: number; parts: number } | null> {
  const { rows } = await sql<{ received: number; parts: number }>`
    with locked as (${lockedUpload(id)})
    select received::float8 as received,
      (select count(*)::int from upload_parts where upload_parts.upload_id = locked.upload_id) as parts
    from locked`.execute(trx);
  return rows[0] ?? null;
}

function lockedUpload(id: string) {
  return sql`select upload_id, received from resumable_uploads
    join uploads on uploads.id = upload_id join forms on forms.id = form_id
    where upload_id = ${id} and removed_at is null and received_at is null for update of resumable_uploads, uploads`;
}

/** The row comes before the file: whatever happens to this process, the file is known. */
export async function insertPart(
  trx: Transaction,
  { id, storeName, start, most }: { id: string; storeName: string; start: number; most: number },
): Promise<void> {
  await trx
    .insertInto('upload_parts')
    .values({ store_name: storeName, upload_id: id, start, most })
    .execute();
  await setSize(trx, id);
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
  await setSize(trx, id);
  return true;
}

/**
 * What counts against the room for unclaimed files, parts on their way too; and the day until the upload is given up begins anew.
 * Of a complete file it is the size.
 */
async function setSize(db: Db, id: string): Promise<void> {
  await sql`
    update uploads set touched_at = now(), size = (
      select coalesce(sum(greatest(coalesce(length, most), ${LEAST_ROOM})), 0) from upload_parts
      where upload_id = uploads.id and (length is not null or ${isArriving}))
    where id = ${id} and received_at is null`.execute(db);
}

/** Once its file is gone. */
export async function deletePart(db: Db, id: string, storeName: string): Promise<void> {
  await db.deleteFrom('upload_parts').where('store_name', '=', storeName).execute();
  await setSize(db, id);
}

/** Until when a process has the parts of an upload to itself, unless it says so again: text, as the database has it. */
export type Joining = string;

const joiningUntil = sql`now() + make_interval(secs => ${JOINING_SECONDS}::int)`;

/** Lets one process put the parts of a complete upload together. @returns null while another one does, when it is gone, or the file is there */
export async function beginJoining(db: Db, id: string): Promise<Joining | null> {
  const { rows } = await sql<{ joining: Joining }>`
    with locked as (${lockedUpload(id)})
    update resumable_uploads set joining_until = ${joiningUntil} from locked
    where resumable_uploads.upload_id = locked.upload_id and resumable_uploads.received = length
      and (joining_until is null or joining_until < now())
    returning joining_until::text as joining`.execute(db);
  return rows[0]?.joining ?? null;
}

/** @returns null when it took too long and somebody else may be at work, or the parts are gone */
export async function goOnJoining(db: Db, id: string, joining: Joining): Promise<Joining | null> {
  const { rows } = await sql<{ joining: Joining }>`
    update resumable_uploads set joining_until = ${joiningUntil}
    where upload_id = ${id} and joining_until = ${joining}::timestamptz
    returning joining_until::text as joining`.execute(db);
  return rows[0]?.joining ?? null;
}

export async function endJoining(db: Db, id: string, joining: Joining): Promise<void> {
  await sql`update resumable_uploads set joining_until = null
    where upload_id = ${id} and joining_until = ${joining}::timestamptz`.execute(db);
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

/** Of an upload the parts that will not be stored any more, or are. */
export async function findPartsAtRest(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ storeName: string }>`
    select store_name as "storeName" from upload_parts where upload_id = ${id} and not ${isArriving}`.execute(
    db,
  );
  return rows.map(({ storeName }) => storeName);
}

/** Once the files of these parts are gone; and the upload, unless a part is still on its way. */
export async function deleteParts(db: Db, id: string, storeNames: string[]): Promise<void> {
  await sql`delete from upload_parts where store_name = any(${storeNames}::text[])`.execute(db);
  await sql`delete from resumable_uploads where upload_id = ${id}
    and not exists (select from upload_parts where upload_parts.upload_id = ${id})`.execute(db);
}

/** Uploads that have arrived while their parts are still there: whoever put them together did not get to it. */
export async function findJoined(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select uploads.id from resumable_uploads join uploads on uploads.id = upload_id
    where received_at is not null and ${isPartlyAtRest} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
