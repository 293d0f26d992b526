/** Folder of the file store. */
const FOLDER = 'uploads';

/** Where the file of an upload lies: spread over 256 folders, so that none grows too large to be listed. */
export function storeNameOf(uuid: string): string {
  return `${FOLDER}/${uuid.slice(0, 2)}/${uuid}`;
}
