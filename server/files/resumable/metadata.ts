import { HttpError } from '../../http/errors.ts';
import { cleanFileName } from '../file-name.ts';

/** Limit for the header in characters. */
const MAX_LENGTH = 4_000;
const PAIR = /^[\x21-\x2b\x2d-\x7e]+(?: [A-Za-z0-9+/]*={0,2})?$/;

/**
 * Checks the header `Upload-Metadata` (tus 1.0, Creation): pairs separated by commas, each a key, a space and the value in Base64.
 * @throws HttpError 400
 */
export function checkMetadata(header: string): string {
  const isFine =
    header === '' || (header.length <= MAX_LENGTH && pairsOf(header).every((pair) => PAIR.test(pair)));
  if (!isFine) throw new HttpError(400, 'The Upload-Metadata header is malformed.');
  return header;
}

/** The value of a key; undefined if the key is missing. */
export function valueIn(metadata: string, key: string): string | undefined {
  const pair = pairsOf(metadata).find((text) => text.split(' ')[0] === key);
  return pair === undefined ? undefined : Buffer.from(pair.split(' ')[1] ?? '', 'base64').toString('utf8');
}

/** The file name as sent; `''` if there is none. */
export function fileNameIn(metadata: string): string {
  return valueIn(metadata, 'filename') ?? '';
}

/** The extension of that name; `''` if there is none. */
export function extensionIn(metadata: string): string {
  return cleanFileName(fileNameIn(metadata)).extension;
}

function pairsOf(metadata: string): string[] {
  return metadata.split(',').map((pair) => pair.trim());
}
