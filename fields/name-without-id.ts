const ID_IN_NAME = /(?<=.)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=(?:\.[a-z0-9]{1,10})?$)/i;
/** Names made elsewhere are a bit longer than ours. */
const MAX_LENGTH = 255;

/** The name people know a file by: `cv.pdf` of `cv_<uuid>.pdf`; any other text as it is. */
export function nameWithoutId(text: string): string {
  return text.length > MAX_LENGTH ? text : text.replace(ID_IN_NAME, '');
}
