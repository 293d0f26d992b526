import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { awaitFile, explainRefusal, type UploadField } from './awaited-file.ts';
import { checkedContent } from './check-content.ts';
import { storeFile } from './store-file.ts';
import { reserveFile, senderOf } from './unclaimed-room.ts';
import { inTurn } from './upload-turns.ts';

/** The response to the sender of a file. */
export interface ReceivedUpload {
  uuid: string;
  file_name: string;
  /** Bytes. */
  size: number;
  content_type: string;
  /** The value for the answer; the `uuid` alone is accepted too. */
  reference: string;
}

/** A file on its way to a field of a form. */
interface Upload extends UploadField {
  content: Readable;
  /** As sent. */
  fileName: string;
  /** Updated with the content, so that the caller can compare it. */
  hash?: Hash;
  /** The one that brings it: its sender is who the limits are for. */
  request: FastifyRequest;
}

/**
 * Receives a file for a `files` or `signature` field of a form, and checks it while it streams into the file store. After a
 * refusal nothing is kept, and the rest of `content` is read and dropped, so that the parser can go on.
 * @throws HttpError 422 with `error` and `errors.file` for a refused file, 413 when it is too large, 429 and 503 when too many
 * files are unclaimed, 503 when the store or the database fails
 */
export async function receiveUpload(context: Context, upload: Upload): Promise<ReceivedUpload> {
  const { content, request } = upload;
  // It can fail at any moment, even while nothing reads it.
  content.on('error', () => {});
  try {
    return await inTurn(request, () => receive(context, upload));
  } catch (error) {
    content.resume();
    throw explainRefusal(error, upload);
  }
}

async function receive(context: Context, upload: Upload): Promise<ReceivedUpload> {
  const awaited = awaitFile(upload, upload.fileName);
  const { uuid, storeName, extension, maxSize, reference } = awaited;
  const sender = senderOf(context, upload.form.id, upload.request.ip);
  const room = { bytes: maxSize, fileSize: maxSize };
  await context.db
    .transaction()
    .execute((trx) => reserveFile(trx, { sender, field: upload, file: awaited }, room));
  const found = { size: 0, contentType: '' };
  const checked = checkedContent(upload.content, { extension, maxSize, hash: upload.hash }, found);
  const most = Math.min(maxSize, Number(upload.request.headers['content-length'] ?? maxSize));
  const file = { id: uuid, storeName, most };
  await storeFile(context, file, Readable.from(checked, { objectMode: false }), found);
  return {
    uuid,
    file_name: awaited.shownName,
    size: found.size,
    content_type: found.contentType,
    reference,
  };
}
