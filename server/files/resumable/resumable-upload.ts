import type { Context } from '../../context.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { type AwaitedFile, awaitFile, type UploadField } from '../awaited-file.ts';
import { UploadRefusal } from '../check-content.ts';
import { insertUpload, markUnheld } from '../queries.ts';
import { enqueueRemoval } from '../remove-files.ts';
import { requireRoom, senderOf } from '../unclaimed-room.ts';
import { fileNameIn } from './metadata.ts';
import { findResumable, insertResumable } from './queries.ts';

/** A file that arrives in parts. */
export interface ResumableUpload {
  /** UUID. */
  id: string;
  formId: number;
  /** The field it was begun for. */
  propertyId: string;
  /** Where the whole file will lie in the file store. */
  storeName: string;
  /** Bytes of the whole file. */
  length: number;
  /** Bytes that have arrived, from the beginning. */
  received: number;
  /** The header Upload-Metadata as it came. */
  metadata: string;
  /** The whole file is there and may be named by an answer. */
  isComplete: boolean;
}

/** What somebody announces who sends a file in parts. */
export interface Announcement extends UploadField {
  /** Bytes of the whole file. */
  length: number;
  metadata: string;
  /** Network address of the sender. */
  address: string;
}

/**
 * Begins an upload. What the name and the length speak against is refused before a byte of the file is sent.
 * @throws UploadRefusal, HttpError 429 and 503 when too much lies about unclaimed
 */
export async function beginUpload(context: Context, announced: Announcement): Promise<AwaitedFile> {
  const { form, property, length, metadata, address } = announced;
  const file = awaitFile(announced, fileNameIn(metadata));
  if (length === 0) throw new UploadRefusal('file_empty');
  if (length > file.maxSize) throw new UploadRefusal('file_too_large');
  const sender = senderOf(context, form.id, address);
  await context.db.transaction().execute(async (trx) => {
    // What is only announced takes no room, or announcements could take all of it.
    await requireRoom(trx, form.id, sender, { files: 1, bytes: 0, fileSize: length });
    await insertUpload(trx, {
      id: file.uuid,
      formId: form.id,
      propertyId: property.id,
      name: file.reference,
      storeName: file.storeName,
      size: 0,
      sender,
    });
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

/** Forgets an upload with everything that has arrived, unless a submission holds it. @throws HttpError 404 */
export async function giveUp({ db }: Context, { id, formId }: ResumableUpload): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await markUnheld(trx, formId, [id])) === 0) throw notFound('Upload');
    await enqueueRemoval(trx, formId);
  });
}

/** 423: somebody else is at work on the upload; the sender looks again in a moment. */
export function busy(): HttpError {
  const message = 'The parts of this upload are just being put together.';
  return new HttpError(423, message, { error: 'upload_busy' }, { 'retry-after': '2' });
}
