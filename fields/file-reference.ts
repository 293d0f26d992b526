/** An uploaded file that an answer refers to. */
export interface KnownFile {
  /** Name as stored in answers. */
  name: string;
  /** In bytes. */
  size: number;
}

/**
 * Finds a file by the text of an answer: a reference, or the data URL of a drawn signature. null if there is no such file, or it
 * is not for this submission.
 */
export type FindFile = (text: string) => KnownFile | null;

const REFERENCE = /(?:^|_)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.[a-z0-9]{1,10})?$/i;
/** Matches every text that `fileIdOf` finds an id in. */
export const FILE_PATTERN = '(^|_)[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(\\.[A-Za-z0-9]{1,10})?$';
const DRAWING_START = 'data:image/png;base64,';
/** Enough for a name of 50 characters, the id and an extension, with some room for names made elsewhere. */
const MAX_LENGTH = 255;

/** The id in `<name>_<uuid>.<ext>`, `<uuid>.<ext>` or `<uuid>`; null for any other text. */
export function fileIdOf(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  return REFERENCE.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** The base64 of the PNG in a drawn signature's data URL; null for any other text. */
export function drawingOf(text: string): string | null {
  return text.startsWith(DRAWING_START) ? text.slice(DRAWING_START.length) : null;
}

/** Whether a text has the form of a file's reference, even if there is no such file. */
export function isFileText(text: string): boolean {
  return drawingOf(text) !== null || fileIdOf(text) !== null;
}

/** Lower-case letters after the last dot; `''` without a dot. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
