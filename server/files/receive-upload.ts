import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-network.ts';
import { type AwaitedFile, awaitFile, explainRefusal, type UploadField } from './awaited-file.ts';
import { checkedContent } from './check-content.ts';
import { insertUpload } from './queries.ts';
import { storeFile } from './store-file.ts';
import { requireRoom, senderOf } from './unclaimed-room.ts';
import { inTurn } from './upload-turns.ts';

/** What the sender of a file is told. */
export interface ReceivedUpload {
  uuid: string;
  file_name: string;
  /** Bytes. */
  size: number;
  content_type: string;
  /** What the answer holds; the `uuid` alone will do. */
  reference: string;
}

/** A file on its way to a field of a form. */
export interface Upload extends UploadField {
  content: Readable;
  /** As the sender wrote it. */
  fileName: string;
  /** Is given the content, for who has to know it again. */
  hash?: Hash;
  /** Of the sender, for the limits of what lies about unclaimed. */
  address: string;
}

/**
 * Takes one file for a `files` or `signature` field of a form: checks it while it streams into the file store. After a
 * refusal nothing is kept, and the rest of `content` is read and thrown away, so that a parser can go on.
 * @throws HttpError 422 with `error` and `errors.file` for a file that is not taken, 413 when it is too large, 429
 * and 503 when too much lies about unclaimed, 503 when the store or the database fails
 */
export async function receiveUpload(context: Context, upload: Upload): Promise<ReceivedUpload> {
  const { content, address } = upload;
  // It may break at any moment, also while nobody reads it.
  content.on('error', () => {});
  try {
    return await inTurn(clientNetwork(address), () => receive(context, upload));
  } catch (error) {
    content.resume();
    throw explainRefusal(error, upload);
  }
}

async function receive(context: Context, upload: Upload): Promise<ReceivedUpload> {
  const file = awaitFile(upload, upload.fileName);
  const { uuid, storeName, extension, maxSize, reference } = file;
  await reserve(context, upload, file);
  const found = { size: 0, contentType: '' };
  const checked = checkedContent(upload.content, { extension, maxSize, hash: upload.hash }, found);
  await storeFile(context, { id: uuid, storeName }, Readable.from(checked, { objectMode: false }), found);
  return {
    uuid,
    file_name: file.shownName,
    size: found.size,
    content_type: found.contentType,
    reference,
  };
}

/** Makes the row of an upload when sender and form have not too much lying about. */
async function reserve(
  context: Context,
  { form, property, address }: Upload,
  { uuid, storeName, reference, maxSize }: AwaitedFile,
): Promise<void> {
  const sender = senderOf(context, form.id, address);
  await context.db.transaction().execute(async (trx) => {
    await requireRoom(trx, form.id, sender, { files: 1, bytes: maxSize, fileSize: maxSize });
    await insertUpload(trx, {
      id: uuid,
      formId: form.id,
      propertyId: property.id,
      name: reference,
      storeName,
      size: maxSize,
      sender,
    });
  });
}
