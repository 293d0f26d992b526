import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { contentTypeOf, UploadRefusal } from '../check-content.ts';
import { HEAD_SIZE } from '../content-kinds.ts';
import { notStored } from '../not-stored.ts';
import { needRoom } from '../room.ts';
import { storeNameOf } from '../store-name.ts';
import { requireRoom, senderOf } from '../unclaimed-room.ts';
import { extensionIn } from './metadata.ts';
import {
  deletePart,
  findResumable,
  insertPart,
  LEAST_ROOM,
  lockPart,
  lockResumable,
  setSize,
  takePart,
} from './queries.ts';
import { giveUp, type ResumableUpload } from './resumable-upload.ts';

/** A part of a file while it is being received. */
interface SentPart {
  /** Offset in the file. */
  start: number;
  content: Readable;
  /** Announced length in bytes; null if the sender gives none. */
  announced: number | null;
  /** Network address of the sender. */
  address: string;
}

/** Until the file is complete, each part is a separate file in the store. */
const MAX_PARTS = 2_000;

/**
 * Stores a part, or as much of it as arrived before the connection broke.
 * @returns how many bytes of the file have arrived by now
 * @throws UploadRefusal for refused content, after deleting the upload; HttpError 409 when the part does not begin where the last
 * one ended, 400 when it is longer than the missing rest, 404, 422, 429, 503
 */
export async function appendPart(context: Context, upload: ResumableUpload, part: SentPart): Promise<number> {
  const { id } = upload;
  const { start } = part;
  const missing = upload.length - start;
  if (missing < 0) throw conflict(upload.received);
  if ((part.announced ?? 0) > missing) throw tooLong();
  const storeName = storeNameOf(randomUUID());
  await reserve(context, upload, part, storeName);
  let length = 0;
  try {
    const expectedBytes = part.announced ?? missing;
    await needRoom(context.files, expectedBytes);
    const counted = Readable.from(counting(), { objectMode: false });
    await context.files.write(storeName, counted, { expectedBytes });
    const isTaken =
      length > 0 &&
      (await context.db.transaction().execute((trx) => takePart(trx, { id, storeName, start, length })));
    if (isTaken) return start + length;
    if (length > 0) throw await conflictOf(context.db, upload);
  } catch (error) {
    if (!(await discard(context, id, storeName))) return start + length;
    if (error instanceof UploadRefusal) await giveUp(context, upload);
    throw notStored(context, error, 'a part of an upload could not be stored');
  }
  await discard(context, id, storeName);
  return start;

  async function* counting(): AsyncGenerator<Buffer> {
    for await (const chunk of judged(arriving(part.content), upload, start)) {
      length += chunk.length;
      if (length > missing) throw tooLong();
      yield chunk;
    }
  }
}

/** Checks the limits for the part and inserts its row. */
async function reserve(
  context: Context,
  upload: ResumableUpload,
  { start, announced, address }: SentPart,
  storeName: string,
): Promise<void> {
  const { id, formId, length } = upload;
  const most = announced ?? length - start;
  const bytes = Math.max(most, LEAST_ROOM);
  const sender = senderOf(context, formId, address);
  await context.db.transaction().execute(async (trx) => {
    await requireRoom(trx, formId, sender, { files: 0, bytes, fileSize: length });
    const locked = await lockResumable(trx, id);
    if (!locked) throw await conflictOf(trx, upload);
    if (locked.received !== start) throw conflict(locked.received);
    if (locked.parts >= MAX_PARTS) throw tooManyParts();
    await insertPart(trx, { id, storeName, start, most });
  });
}

/** A broken connection ends the part; the bytes that came before are kept. */
async function* arriving(content: Readable): AsyncGenerator<Buffer> {
  try {
    // Not destroyed when the reader stops, because the caller skips the rest.
    yield* content.iterator({ destroyOnReturn: false });
  } catch {
    return;
  }
}

/** Checks the type of the content by its first bytes, so that a large file is not refused only at its end. */
async function* judged(
  chunks: AsyncGenerator<Buffer>,
  { length, metadata }: ResumableUpload,
  start: number,
): AsyncGenerator<Buffer> {
  if (start > 0) return yield* chunks;
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < Math.min(HEAD_SIZE, length)) continue;
    contentTypeOf(head.subarray(0, HEAD_SIZE), extensionIn(metadata));
    yield head;
    head = null;
  }
  // The part is too short for that; the whole file is checked at the end.
  if (head !== null && head.length > 0) yield head;
}

/**
 * Removes a part that does not count. If this fails, it is removed with the upload.
 * @returns false when the part counts: it was stored, and only the answer to the commit was lost
 */
async function discard({ db, files, log }: Context, id: string, storeName: string): Promise<boolean> {
  try {
    // Waits for a transaction that is still being committed though its connection is gone.
    const counts = await db.transaction().execute(async (trx) => {
      const part = await lockPart(trx, storeName);
      if (part?.counts) return true;
      await files.remove(storeName);
      await deletePart(trx, storeName);
      return false;
    });
    if (counts) return false;
    await setSize(db, id);
  } catch (err) {
    log.warn({ err }, 'a part of an upload was left behind');
  }
  return true;
}

/** Another request has meanwhile sent this part, completed the upload or deleted it. */
async function conflictOf(db: Db, { id, formId }: ResumableUpload): Promise<HttpError> {
  const present = await findResumable(db, formId, id);
  return present ? conflict(present.received) : notFound('Upload');
}

function conflict(received: number): HttpError {
  const message = `The next byte of this upload is ${received}.`;
  return new HttpError(409, message, { error: 'offset_conflict' }, { 'upload-offset': String(received) });
}

function tooManyParts(): HttpError {
  const message = 'This upload came in too many parts.';
  return new HttpError(422, message, { error: 'too_many_parts', errors: { file: [message] } });
}

function tooLong(): HttpError {
  return new HttpError(400, 'The part is longer than what is missing of the upload.');
}
