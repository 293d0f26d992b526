/** Folder of the file store. */
const FOLDER = 'uploads';

/** The store name of an upload's file. Files are spread over 256 folders, so that none grows too large to be listed. */
export function storeNameOf(uuid: string): string {
  return `${FOLDER}/${uuid.slice(0, 2)}/${uuid}`;
}
