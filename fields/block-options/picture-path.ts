/** The name of a stored picture: the SHA-256 of its content in hex, and its extension. */
export const PICTURE_NAME = '[0-9a-f]{64}\\.[a-z]{3,4}';
/** The path of a stored picture on the service, which forms accept like a web address. */
export const PICTURE_PATH = `/pictures/${PICTURE_NAME}`;

const WHOLE = new RegExp(`^${PICTURE_PATH}$`);

/** Whether an address is that of a stored picture, as the routes at `…/pictures` return it. */
export function isPicturePath(address: string): boolean {
  return WHOLE.test(address);
}
