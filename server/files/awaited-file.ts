import { randomUUID } from 'node:crypto';
import { MEGABYTE, uploadRules } from '../../fields/block-options/upload-rules.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { languageFor, messagesFor } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { HttpError } from '../http/errors.ts';
import { type UploadReason, UploadRefusal } from './check-content.ts';
import { isMarkupExtension } from './content-kinds.ts';
import { cleanFileName, referenceTo, shownName } from './file-name.ts';
import { storeNameOf } from './store-name.ts';

/** What uploads need to know about a form. */
interface UploadForm {
  id: number;
  /** The workspace's limit in megabytes. */
  maxFileSize: number;
  presentation: { language: string };
}

/** The field of a form that a file is for. */
export interface UploadField {
  form: UploadForm;
  property: Property;
}

/** What is known about a file before its first byte arrives. */
export interface AwaitedFile {
  uuid: string;
  /** Its name in the file store. */
  storeName: string;
  /** The value for the answer; the `uuid` alone is accepted too. */
  reference: string;
  /** The name shown to people. */
  shownName: string;
  extension: string;
  /** Bytes. */
  maxSize: number;
}

/**
 * A new file for a field.
 * @throws UploadRefusal when the field accepts no file with this name
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

/** Turns the refusal of a file into the response (413 when it is too large, otherwise 422); returns other errors unchanged. */
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
      // If all types are allowed, the refusal is because the content does not match the extension.
      return types.length === 0 ? page.fileTypeRefused : messages.fileType(types.join(','));
    }
    case 'file_not_allowed':
      return page.fileTypeRefused;
    case 'file_empty':
      return page.fileEmpty;
  }
}
