import { sql } from 'kysely';
import type { Db, Transaction } from '../../db/database.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** Lifetime of a claim to join parts, unless it is extended: if the process is killed, the next one can take over. */
const JOINING_SECONDS = 120;
/** An unfinished part counts as being received for this long, which is more than its request may take. */
const RECEIVING_HOURS = 1;
/** Bytes that each part counts for at least among unclaimed files, because each is a separate file. */
export const LEAST_ROOM = 256 * 1024;

/** Condition on a part: it is still being written to the store. */
const isArriving = sql`(upload_parts.length is null
  and begun_at > now() - make_interval(hours => ${RECEIVING_HOURS}::int))`;
/** Condition on an upload in parts: nothing of it is being written to the store. */
export const isPartlyAtRest = sql`(not exists (
    select from upload_parts where upload_id = uploads.id and ${isArriving})
  and not exists (select from resumable_uploads where upload_id = uploads.id and joining_until > now()))`;

export async function insertResumable(
  trx: Transaction,
  { id, length, metadata }: Pick<ResumableUpload, 'id' | 'length' | 'metadata'>,
): Promise<void> {
  await trx.insertInto('resumable_uploads').values({ upload_id: id, length, metadata }).execute();
}

/** An upload to this form that is under way, or complete and not yet claimed by a submission. */
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
 * Locks an upload until the transaction ends, so that it is deleted either before this, or together with the part begun here.
 * @returns the bytes that have arrived, and the number of parts begun; null when the upload is gone or complete
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

/** Called before the file is written, so that its row remains even if the process dies. */
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

/** Adds an arrived part to the upload. @returns false when another part was added first, or the upload is gone */
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
 * Updates what the upload counts for among unclaimed files, with parts still being received, and restarts the day after which
 * it is removed. A complete file keeps its size.
 */
export async function setSize(db: Db, id: string): Promise<void> {
  await sql`
    update uploads set touched_at = now(), size = (
      select coalesce(sum(greatest(coalesce(length, most), ${LEAST_ROOM})), 0) from upload_parts
      where upload_id = uploads.id and (length is not null or ${isArriving}))
    where id = ${id} and received_at is null`.execute(db);
}

/** Locks a part until the transaction ends. @returns whether it counts to its upload; null when it is gone */
export async function lockPart(trx: Transaction, storeName: string): Promise<{ counts: boolean } | null> {
  const row = await trx
    .selectFrom('upload_parts')
    .select('length')
    .where('store_name', '=', storeName)
    .forUpdate()
    .executeTakeFirst();
  return row ? { counts: row.length !== null } : null;
}

/** To be called once its file is gone. */
export async function deletePart(trx: Transaction, storeName: string): Promise<void> {
  await trx.deleteFrom('upload_parts').where('store_name', '=', storeName).execute();
}

/** When the claim of a process on an upload ends: a timestamp as text, as precise as in the database. */
export type Joining = string;

const joiningUntil = sql`now() + make_interval(secs => ${JOINING_SECONDS}::int)`;

/** Claims an upload whose parts are all there. @returns null when another process has claimed it, it is gone, or already joined */
export async function beginJoining(db: Db, id: string): Promise<Joining | null> {
  const { rows } = await sql<{ joining: Joining }>`
    with locked as (${lockedUpload(id)})
    update resumable_uploads set joining_until = ${joiningUntil} from locked
    where resumable_uploads.upload_id = locked.upload_id and resumable_uploads.received = length
      and (joining_until is null or joining_until < now())
    returning joining_until::text as joining`.execute(db);
  return rows[0]?.joining ?? null;
}

/** Extends the claim. @returns null when another process has taken over after it expired, or the parts are gone */
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

/** Names in the file store of the arrived parts, in order. */
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

/** Names in the file store of the parts that are not being written to it. */
export async function findPartsAtRest(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ storeName: string }>`
    select store_name as "storeName" from upload_parts where upload_id = ${id} and not ${isArriving}`.execute(
    db,
  );
  return rows.map(({ storeName }) => storeName);
}

/** To be called once their files are gone. Deletes the upload's own row too, unless a part is still being received. */
export async function deleteParts(db: Db, id: string, storeNames: string[]): Promise<void> {
  await sql`delete from upload_parts where store_name = any(${storeNames}::text[])`.execute(db);
  await sql`delete from resumable_uploads where upload_id = ${id}
    and not exists (select from upload_parts where upload_parts.upload_id = ${id})`.execute(db);
}

/** Complete uploads whose parts are still there, because the process that joined them was interrupted. */
export async function findJoined(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select uploads.id from resumable_uploads join uploads on uploads.id = upload_id
    where received_at is not null and ${isPartlyAtRest} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
