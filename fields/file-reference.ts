/** What the service knows of an uploaded file that an answer names. */
export interface KnownFile {
  /** As it is stored in answers. */
  name: string;
  /** Bytes. */
  size: number;
}

/**
 * Looks up a file by the text of an answer: a reference, or the data URL of a drawn signature. null when there is no
 * such file, or it is not for this submission.
 */
export type FindFile = (text: string) => KnownFile | null;

const REFERENCE = /(?:^|_)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.[a-z0-9]{1,10})?$/i;
const DRAWING_START = 'data:image/png;base64,';
/** A name of 50 characters, the id, an extension; some more for names made elsewhere. */
const MAX_LENGTH = 255;

/** The id in `<name>_<uuid>.<ext>`, `<uuid>.<ext>` or `<uuid>`; null for any other text. */
export function fileIdOf(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  return REFERENCE.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Base64 of the PNG in a data URL, as drawn signatures come; null for any other text. */
export function drawingOf(text: string): string | null {
  return text.startsWith(DRAWING_START) ? text.slice(DRAWING_START.length) : null;
}

/** True for a text that stands for a file, be there such a file or not. */
export function isFileText(text: string): boolean {
  return drawingOf(text) !== null || fileIdOf(text) !== null;
}

/** Lower-case letters behind the last dot, `''` without one. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
