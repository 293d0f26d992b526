/** The name of a picture kept here: SHA-256 of its content in hex, and the ending of its kind. */
export const PICTURE_NAME = '[0-9a-f]{64}\\.[a-z]{3,4}';
/** Its address, a path of the service: what forms take beside addresses of the web. */
export const PICTURE_PATH = `/pictures/${PICTURE_NAME}`;

const WHOLE = new RegExp(`^${PICTURE_PATH}$`);

/** Whether an address is that of a picture kept here, as `…/pictures` answers it. */
export function isPicturePath(address: string): boolean {
  return WHOLE.test(address);
}
