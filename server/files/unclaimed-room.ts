import { MEGABYTE } from '../../fields/block-options/upload-rules.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { clientHash, clientNetwork } from '../http/network/client-network.ts';
import type { AwaitedFile, UploadField } from './awaited-file.ts';
import { countUnclaimed, insertUpload } from './queries.ts';

/** Limits for the unclaimed files of one sender at one form; `size` is their total in bytes. */
const MAX_OWN = { count: 300, size: 1024 * MEGABYTE };
/** Limits for all senders of a form together. */
const MAX_ALL = { count: 10_000, size: 10 * 1024 * MEGABYTE };
const TRY_AGAIN_SECONDS = '600';

/** Identifies a sender without storing the address: a keyed hash of form and network. */
export function senderOf({ secrets }: Context, formId: number, address: string): Buffer {
  return clientHash(secrets, `${formId} ${clientNetwork(address)}`, 'sender');
}

/** An upload, or part of one, to be counted. */
interface Addition {
  /** 0 for a part, because its file is already counted. */
  files: 0 | 1;
  bytes: number;
  /** Maximum size of the whole file in bytes. */
  fileSize: number;
}

/**
 * Checks the limits of unclaimed files, under a lock by which uploads to the form are counted one at a time.
 * @throws HttpError 429 when this would exceed the sender's limit, 503 when it would exceed the form's
 */
export async function requireRoom(
  trx: Transaction,
  formId: number,
  sender: Buffer,
  { files, bytes, fileSize }: Addition,
): Promise<void> {
  const { own, all } = await countUnclaimed(trx, formId, sender);
  // A workspace may allow files as large as the limit. One must fit twice, because it may be sent again.
  const maxOwnSize = Math.max(MAX_OWN.size, 2 * fileSize);
  if (own.count + files > MAX_OWN.count || own.size + bytes > maxOwnSize)
    throw new HttpError(
      429,
      'Too many files were uploaded without being sent. Please send the form first, or try again later.',
      { error: 'too_many_uploads' },
      { 'retry-after': TRY_AGAIN_SECONDS },
    );
  if (all.count + files > MAX_ALL.count || all.size + bytes > MAX_ALL.size)
    throw new HttpError(
      503,
      'This form takes no more files at the moment. Please try again later.',
      { error: 'too_many_uploads' },
      { 'retry-after': TRY_AGAIN_SECONDS },
    );
}

interface Reserved {
  sender: Buffer;
  field: UploadField;
  file: AwaitedFile;
}

/**
 * Inserts the row of an awaited file, if sender and form have room for it.
 * @param bytes to count at once: for a file in parts none, because announcements alone could otherwise use up the room
 * @throws HttpError 429 and 503 as `requireRoom`
 */
export async function reserveFile(
  trx: Transaction,
  { sender, field, file }: Reserved,
  { bytes, fileSize }: Pick<Addition, 'bytes' | 'fileSize'>,
): Promise<void> {
  const { form, property } = field;
  await requireRoom(trx, form.id, sender, { files: 1, bytes, fileSize });
  await insertUpload(trx, {
    id: file.uuid,
    formId: form.id,
    propertyId: property.id,
    name: file.reference,
    storeName: file.storeName,
    size: bytes,
    sender,
  });
}
