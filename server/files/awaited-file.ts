import { randomUUID } from 'node:crypto';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { languageFor, messagesFor } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { MEGABYTE, uploadRules } from '../../fields/upload-rules.ts';
import { HttpError } from '../http/errors.ts';
import { type UploadReason, UploadRefusal } from './check-content.ts';
import { isMarkupExtension } from './content-kinds.ts';
import { cleanFileName, referenceTo, shownName } from './file-name.ts';
import { storeNameOf } from './store-name.ts';

/** A form as far as uploads concern it. */
export interface UploadForm {
  id: number;
  /** Megabytes, of the workspace. */
  maxFileSize: number;
  presentation: { language: string };
}

/** The field of a form that a file is for. */
export interface UploadField {
  form: UploadForm;
  property: Property;
}

/** What is known of a file before its first byte. */
export interface AwaitedFile {
  uuid: string;
  /** In the file store. */
  storeName: string;
  /** What the answer holds; the `uuid` alone will do. */
  reference: string;
  /** As people see it. */
  shownName: string;
  extension: string;
  /** Bytes. */
  maxSize: number;
}

/**
 * A new file for a field.
 * @param sentName as the sender wrote it
 * @throws UploadRefusal when the field takes none of that name
 */
export function awaitFile({ form, property }: UploadField, sentName: string): AwaitedFile {
  const name = cleanFileName(sentName);
  const rules = uploadRules(property, fieldTypeOf(property.type).name);
  if (isMarkupExtension(name.extension)) throw new UploadRefusal('file_not_allowed');
  if (!rules.isAllowed(name.extension)) throw new UploadRefusal('file_type');
  const uuid = randomUUID();
  return {
    uuid,
    storeName: storeNameOf(uuid),
    reference: referenceTo(name, uuid),
    shownName: shownName(name),
    extension: name.extension,
    maxSize: Math.min(rules.maxSize, Math.floor(form.maxFileSize * MEGABYTE)),
  };
}

/** What the sender is told of a file that is not taken (422, 413 when it is too large); any other error as it is. */
export function explainRefusal(error: unknown, field: UploadField): unknown {
  if (!(error instanceof UploadRefusal)) return error;
  const message = refusalText(error.reason, field);
  const status = error.reason === 'file_too_large' ? 413 : 422;
  return new HttpError(status, message, { error: error.reason, errors: { file: [message] } });
}

function refusalText(reason: UploadReason, { form: { presentation }, property }: UploadField): string {
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
