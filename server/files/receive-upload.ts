import { type Hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { languageFor, messagesFor } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { MEGABYTE, uploadRules } from '../../fields/upload-rules.ts';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-network.ts';
import { HttpError } from '../http/errors.ts';
import { checkedContent, type UploadReason, UploadRefusal } from './check-content.ts';
import { isMarkupExtension } from './content-kinds.ts';
import { cleanFileName, referenceTo, shownName } from './file-name.ts';
import { countUnclaimed, insertUpload, type NewUpload } from './queries.ts';
import { storeFile } from './store-file.ts';
import { storeNameOf } from './store-name.ts';
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

/** A form as far as uploads concern it. */
export interface UploadForm {
  id: number;
  /** Megabytes, of the workspace. */
  maxFileSize: number;
  presentation: { language: string };
}

/** A file on its way to a field of a form. */
export interface Upload {
  form: UploadForm;
  property: Property;
  content: Readable;
  /** As the sender wrote it. */
  fileName: string;
  /** Is given the content, for who has to know it again. */
  hash?: Hash;
  /** Of the sender, for the limits of what lies about unclaimed. */
  address: string;
}

/** Files that one sender may leave unclaimed at one form, and their bytes together. */
const MAX_OWN = { count: 300, size: 1024 * MEGABYTE };
/** The same for all senders of a form together. */
const MAX_ALL = { count: 10_000, size: 10 * 1024 * MEGABYTE };
const TRY_AGAIN_SECONDS = '600';

/**
 * Takes one file for a `files` or `signature` field of a form: checks it while it streams into the file store. After a
 * refusal nothing is kept, and the rest of `content` is read and thrown away, so that a parser can go on.
 * @throws HttpError 422 with `error` and `errors.file` for a file that is not taken, 413 when it is too large, 429
 * and 503 when too much lies about unclaimed, 503 when the store or the database fails
 */
export async function receiveUpload(context: Context, upload: Upload): Promise<ReceivedUpload> {
  const { form, property, content, address } = upload;
  // It may break at any moment, also while nobody reads it.
  content.on('error', () => {});
  try {
    return await inTurn(clientNetwork(address), () => receive(context, upload));
  } catch (error) {
    content.resume();
    if (error instanceof UploadRefusal) throw refusal(error.reason, form, property);
    throw error;
  }
}

async function receive(
  context: Context,
  { form, property, content, fileName, hash, address }: Upload,
): Promise<ReceivedUpload> {
  const name = cleanFileName(fileName);
  const rules = uploadRules(property, fieldTypeOf(property.type).name);
  if (isMarkupExtension(name.extension)) throw new UploadRefusal('file_not_allowed');
  if (!rules.isAllowed(name.extension)) throw new UploadRefusal('file_type');
  const maxSize = Math.min(rules.maxSize, Math.floor(form.maxFileSize * MEGABYTE));
  const uuid = randomUUID();
  const storeName = storeNameOf(uuid);
  const reference = referenceTo(name, uuid);
  await reserve(context, form.id, address, {
    id: uuid,
    formId: form.id,
    propertyId: property.id,
    name: reference,
    storeName,
    size: maxSize,
  });
  const found = { size: 0, contentType: '' };
  const checked = checkedContent(content, { extension: name.extension, maxSize, hash }, found);
  await storeFile(context, { id: uuid, storeName }, Readable.from(checked, { objectMode: false }), found);
  return { uuid, file_name: shownName(name), size: found.size, content_type: found.contentType, reference };
}

/** Makes the row of an upload when sender and form have not too much lying about. */
async function reserve(
  { db, secrets }: Context,
  formId: number,
  address: string,
  upload: Omit<NewUpload, 'sender'>,
): Promise<void> {
  const sender = Buffer.from(
    secrets.sign(`${formId} ${clientNetwork(address)}`, 'sender').slice(0, 32),
    'hex',
  );
  await db.transaction().execute(async (trx) => {
    const { own, all } = await countUnclaimed(trx, formId, sender);
    if (own.count >= MAX_OWN.count || own.size + upload.size > Math.max(MAX_OWN.size, 2 * upload.size))
      throw new HttpError(
        429,
        'Too many files were uploaded without being sent. Please send the form first, or try again later.',
        { error: 'too_many_uploads' },
        { 'retry-after': TRY_AGAIN_SECONDS },
      );
    if (all.count >= MAX_ALL.count || all.size + upload.size > MAX_ALL.size)
      throw new HttpError(
        503,
        'This form takes no more files at the moment. Please try again later.',
        { error: 'too_many_uploads' },
        { 'retry-after': TRY_AGAIN_SECONDS },
      );
    await insertUpload(trx, { ...upload, sender });
  });
}

function refusal(reason: UploadReason, form: UploadForm, property: Property): HttpError {
  const status = reason === 'file_too_large' ? 413 : 422;
  const message = refusalText(reason, form, property);
  return new HttpError(status, message, { error: reason, errors: { file: [message] } });
}

function refusalText(reason: UploadReason, { presentation }: UploadForm, property: Property): string {
  const { page } = languageFor(presentation.language);
  const messages = messagesFor(presentation.language);
  switch (reason) {
    case 'file_too_large':
      return messages.fileTooLarge();
    case 'file_type': {
      const { types } = uploadRules(property, fieldTypeOf(property.type).name);
      // Where everything is allowed, the content is not what the name says.
      return types.length === 0 ? page.fileTypeRefused : messages.fileType(types.join(','));
    }
    case 'file_not_allowed':
      return page.fileTypeRefused;
    case 'file_empty':
      return page.fileEmpty;
  }
}
