const ID_IN_NAME = /(?<=.)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=(?:\.[a-z0-9]{1,10})?$)/i;
/** Leaves room for names made elsewhere, which are a bit longer than ours. */
const MAX_LENGTH = 255;

/** A file's name without its id: `cv.pdf` for `cv_<uuid>.pdf`; any other text unchanged. */
export function nameWithoutId(text: string): string {
  return text.length > MAX_LENGTH ? text : text.replace(ID_IN_NAME, '');
}
