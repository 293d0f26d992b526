/** Whether an address is that of a picture kept here, as `…/pictures` answers it. */
export function isOwnPicture(address: string): boolean {
  return /^\/pictures\/[0-9a-f]{64}\.[a-z]{3,4}$/.test(address);
}
