import { HttpError } from '../../http/errors.ts';

/** Characters of the header. */
const MAX_LENGTH = 4_000;
const PAIR = /^[\x21-\x2b\x2d-\x7e]+(?: [A-Za-z0-9+/]*={0,2})?$/;

/**
 * Checks the header `Upload-Metadata` (tus 1.0, Creation): keys, each followed by a blank and its value in Base64, separated by
 * commas. @throws HttpError 400
 */
export function checkMetadata(header: string): string {
  const isFine =
    header === '' || (header.length <= MAX_LENGTH && pairsOf(header).every((pair) => PAIR.test(pair)));
  if (!isFine) throw new HttpError(400, 'The Upload-Metadata header is malformed.');
  return header;
}

/** The value of a key, undefined without one. */
export function valueIn(metadata: string, key: string): string | undefined {
  const pair = pairsOf(metadata).find((text) => text.split(' ')[0] === key);
  return pair === undefined ? undefined : Buffer.from(pair.split(' ')[1] ?? '', 'base64').toString('utf8');
}

/** What the sender calls the file, `''` where it has no name. */
export function fileNameIn(metadata: string): string {
  return valueIn(metadata, 'filename') ?? '';
}

function pairsOf(metadata: string): string[] {
  return metadata.split(',').map((pair) => pair.trim());
}
