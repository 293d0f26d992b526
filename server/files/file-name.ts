import { extensionOf } from '../../fields/file-reference.ts';

/** A name as people may see it, and its parts. */
export interface CleanName {
  /** Without extension, 1 to 50 characters. */
  base: string;
  /** Of the name as it came; `''` when it has none. */
  extension: string;
}

const MAX_BASE = 50; // code points
const NAMELESS = 'file';
/** Of files whose name has none. */
const NO_EXTENSION = 'bin';
/** As browsers write `"` and line ends in the names of files (WHATWG HTML, multipart/form-data). */
const FORM_ESCAPES = /%(?:22|0d|0a)/gi;
/** Longer names are cut before they are looked at. */
const MAX_RAW = 1_000;

/**
 * Of a name somebody sent the part that is safe anywhere: no folders, control characters, invisible or direction
 * changing characters, no quotes or signs that shells and pages read; white space as `-`.
 */
export function cleanFileName(sent: string): CleanName {
  const name = (sent.slice(-MAX_RAW).split(/[/\\]/).at(-1) ?? '').toWellFormed().normalize('NFC');
  const safe = name
    .replace(FORM_ESCAPES, '')
    .replace(/\p{Z}+|[\t\r\n]+/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}._()+-]/gu, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[.-]+$/, '');
  const extension = extensionOf(safe);
  const stem = extension === '' ? safe : safe.slice(0, -extension.length - 1);
  const base = [...stem.replace(/^[.\p{M}-]+/u, '')]
    .slice(0, MAX_BASE)
    .join('')
    .replace(/[.-]+$/, '');
  return { base: base || NAMELESS, extension };
}

/** As people see it: `cv.pdf`. */
export function shownName({ base, extension }: CleanName): string {
  return `${base}.${extension || NO_EXTENSION}`;
}

/** As answers hold it: `cv_<uuid>.pdf`. */
export function referenceTo({ base, extension }: CleanName, id: string): string {
  return `${base}_${id}.${extension || NO_EXTENSION}`;
}
