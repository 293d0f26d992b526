import type { OptionProblem } from '../field-type.ts';
import { extensionOf, type KnownFile } from '../file-reference.ts';
import type { Property } from '../property.ts';
import type { Messages } from '../texts/messages.ts';
import { numberOption } from './options.ts';

/** Bytes per megabyte in limits. */
export const MEGABYTE = 1024 * 1024;

/** The limits of a field, whatever its workspace allows. */
interface UploadRules {
  /** In bytes; Infinity if the field sets no limit of its own. */
  maxSize: number;
  /** Extensions as shown, empty if all are allowed. */
  types: readonly string[];
  isAllowed(extension: string): boolean;
}

/** File types for an uploaded signature. */
const IMAGE_TYPES = ['png', 'jpg', 'jpeg', 'webp', 'gif'];
const SPELLINGS: Record<string, string> = { jpeg: 'jpg', tif: 'tiff', htm: 'html', mpeg: 'mpg', yml: 'yaml' };
const TYPE_LIST = /^\s*\.?[a-z0-9]{1,10}\s*(?:,\s*\.?[a-z0-9]{1,10}\s*)*,?\s*$/i;
const MAX_TYPE_LIST = 1000; // characters

/** The limits of a `files` or `signature` field. */
export function uploadRules(property: Property, typeName: string): UploadRules {
  const megabytes = numberOption(property, 'max_file_size');
  const types = typeName === 'signature' ? IMAGE_TYPES : typeList(property.allowed_file_types);
  const allowed = new Set(types.map(canonical));
  return {
    maxSize: megabytes !== undefined && megabytes > 0 ? Math.floor(megabytes * MEGABYTE) : Infinity,
    types,
    isAllowed: (extension) => allowed.size === 0 || allowed.has(canonical(extension)),
  };
}

/** Why a field with these rules does not take the file; null if it does. */
export function fileProblem(file: KnownFile, rules: UploadRules, messages: Messages): string | null {
  if (file.size > rules.maxSize) return messages.fileTooLarge();
  return rules.isAllowed(extensionOf(file.name)) ? null : messages.fileType(rules.types.join(','));
}

/** Problems with these options in a form to be saved. */
export function uploadRuleProblems(property: Property): OptionProblem[] {
  const { max_file_size: size, allowed_file_types: types } = property;
  const problems: OptionProblem[] = [];
  if (!isUnset(size)) {
    const number = numberOption(property, 'max_file_size');
    if (number === undefined)
      problems.push({ path: 'max_file_size', message: 'The max_file_size field must be a number.' });
    else if (number < 1)
      problems.push({ path: 'max_file_size', message: 'The max_file_size field must be at least 1.' });
  }
  if (
    !isUnset(types) &&
    !(typeof types === 'string' && types.length <= MAX_TYPE_LIST && TYPE_LIST.test(types))
  )
    problems.push({ path: 'allowed_file_types', message: 'The allowed_file_types field format is invalid.' });
  return problems;
}

/** Reads `".PDF, png"` as `['pdf', 'png']`. */
function typeList(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const types = value.split(',').map((type) => type.trim().replace(/^\./, '').toLowerCase());
  return [...new Set(types.filter((type) => type !== ''))];
}

function canonical(extension: string): string {
  return SPELLINGS[extension] ?? extension;
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
