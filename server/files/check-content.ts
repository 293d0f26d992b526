import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { HttpError } from '../http/errors.ts';
import { fitsExtension, HEAD_SIZE, isMarkup, kindOf } from './content-kinds.ts';

export type UploadReason = 'file_too_large' | 'file_type' | 'file_not_allowed' | 'file_empty';

/** A file that is not taken. */
export class UploadRefusal extends Error {
  readonly reason: UploadReason;
  constructor(reason: UploadReason) {
    super(reason);
    this.reason = reason;
  }
}

/** What the check has found out about a file. */
export interface FoundContent {
  /** Bytes. */
  size: number;
  contentType: string;
}

const UNKNOWN = 'application/octet-stream';

/**
 * Passes the bytes of a file on, and fails as soon as they show that the file cannot be taken: too large, empty, a page or
 * XML, or not what its extension says. The first bytes are held back until they show the kind of the file.
 * @param rules.hash is updated with all bytes
 * @param found is filled in on the way
 * @throws UploadRefusal, or HttpError 400 when the file breaks off
 */
export async function* checkedContent(
  content: Readable,
  { extension, maxSize, hash }: { extension: string; maxSize: number; hash?: Hash | undefined },
  found: FoundContent,
): AsyncGenerator<Buffer> {
  let head: Buffer[] | null = [];
  for await (const chunk of untilBroken(content)) {
    found.size += chunk.length;
    hash?.update(chunk);
    if (found.size > maxSize) throw new UploadRefusal('file_too_large');
    if (!head) yield chunk;
    else {
      head.push(chunk);
      if (found.size < HEAD_SIZE) continue;
      yield judged(head);
      head = null;
    }
  }
  if (wasCut(content)) throw new UploadRefusal('file_too_large');
  if (found.size === 0) throw new UploadRefusal('file_empty');
  if (head) yield judged(head);

  function judged(chunks: Buffer[]): Buffer {
    const bytes = Buffer.concat(chunks);
    found.contentType = contentTypeOf(bytes.subarray(0, HEAD_SIZE), extension);
    return bytes;
  }
}

/** The multipart parser ends a file that exceeds its own limit without an error; only this flag tells. */
function wasCut(content: Readable & { truncated?: boolean }): boolean {
  return content.truncated === true;
}

/** Leaves the stream open when the reader stops, so that the caller can skip the rest. */
async function* untilBroken(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content.iterator({ destroyOnReturn: false });
  } catch {
    throw new HttpError(400, 'The upload broke off.');
  }
}

/**
 * What a browser may be told the content is.
 * @param head its first `HEAD_SIZE` bytes, or all of it
 * @throws UploadRefusal when it is a page, XML, or not what its extension says
 */
export function contentTypeOf(head: Buffer, extension: string): string {
  if (isMarkup(head)) throw new UploadRefusal('file_not_allowed');
  const kind = kindOf(head);
  if (!fitsExtension(kind, extension)) throw new UploadRefusal('file_type');
  return kind?.contentType ?? UNKNOWN;
}
