import type { Context } from '../../context.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { type AwaitedFile, awaitFile, type UploadField } from '../awaited-file.ts';
import { UploadRefusal } from '../check-content.ts';
import { notStored } from '../not-stored.ts';
import { markUnheld } from '../queries.ts';
import { enqueueRemoval } from '../remove-files.ts';
import { needRoom } from '../room.ts';
import { reserveFile, senderOf } from '../unclaimed-room.ts';
import { fileNameIn } from './metadata.ts';
import { findResumable, insertResumable } from './queries.ts';

/** A file that arrives in parts. */
export interface ResumableUpload {
  /** UUID. */
  id: string;
  formId: number;
  /** The field it was begun for. */
  propertyId: string;
  /** Name of the whole file in the file store. */
  storeName: string;
  /** Bytes of the whole file. */
  length: number;
  /** Bytes that have arrived so far. */
  received: number;
  /** The header Upload-Metadata as sent. */
  metadata: string;
  /** The parts are joined, and an answer may refer to the file. */
  isComplete: boolean;
}

/** What a sender announces before sending a file in parts. */
interface Announcement extends UploadField {
  /** Bytes of the whole file. */
  length: number;
  metadata: string;
  /** Network address of the sender. */
  address: string;
}

/**
 * Begins an upload. A file is refused for its name or length before any of it is sent.
 * @throws UploadRefusal, HttpError 429 and 503 when too many files are unclaimed, 503 without room
 */
export async function beginUpload(context: Context, announced: Announcement): Promise<AwaitedFile> {
  const { form, length, metadata, address } = announced;
  const file = awaitFile(announced, fileNameIn(metadata));
  if (length === 0) throw new UploadRefusal('file_empty');
  if (length > file.maxSize) throw new UploadRefusal('file_too_large');
  // Known before hours of sending: the parts, and then the whole file beside them.
  await needRoom(context.files, 2 * length).catch((error: unknown) => {
    throw notStored(context, error, 'an upload was not begun');
  });
  const sender = senderOf(context, form.id, address);
  await context.db.transaction().execute(async (trx) => {
    await reserveFile(trx, { sender, field: announced, file }, { bytes: 0, fileSize: length });
    await insertResumable(trx, { id: file.uuid, length, metadata });
  });
  return file;
}

/** @throws HttpError 404 */
export async function requireResumable(
  { db }: Context,
  formId: number,
  id: string | null,
): Promise<ResumableUpload> {
  const upload = id === null ? null : await findResumable(db, formId, id);
  if (!upload) throw notFound('Upload');
  return upload;
}

/** Deletes an upload with all that has arrived. @throws HttpError 404 also when a submission holds it */
export async function giveUp({ db }: Context, { id, formId }: ResumableUpload): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await markUnheld(trx, formId, [id])) === 0) throw notFound('Upload');
    await enqueueRemoval(trx, formId);
  });
}

/** 423: another process is joining the parts; the sender asks again in a moment. */
export function busy(): HttpError {
  const message = 'The parts of this upload are just being put together.';
  return new HttpError(423, message, { error: 'upload_busy' }, { 'retry-after': '2' });
}
