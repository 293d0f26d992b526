import { extensionOf } from '../../fields/file-reference.ts';

/** The parts of a name that is safe to show. */
interface CleanName {
  /** Without extension, 1 to 50 characters. */
  base: string;
  /** The extension of the name that was sent; `''` when it has none. */
  extension: string;
}

const MAX_BASE = 50; // code points
const NAMELESS = 'file';
/** Stands for a missing extension. */
const NO_EXTENSION = 'bin';
/** How browsers escape `"` and line ends in file names (WHATWG HTML, multipart/form-data). */
const FORM_ESCAPES = /%(?:22|0d|0a)/gi;
/** Only so many characters at the end of a name are looked at. */
const MAX_RAW = 1_000;

/**
 * Makes a sent name safe everywhere: removes folders, control characters, characters that are invisible or change the
 * direction of text, quotes, and signs with a meaning in shells and pages. White space becomes `-`.
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
