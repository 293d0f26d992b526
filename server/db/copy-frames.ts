/** Message formats of PostgreSQL's protocol 3.0: a type, then the length of everything behind the type as Int32. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;
const COPY_DATA = 'd'.charCodeAt(0);
/** What may stand between rows: the beginning of the copy, notices, changed settings, notifications. */
const PASSED_OVER = new Set(['H', 'N', 'S', 'A'].map((type) => type.charCodeAt(0)));

/** What one read of the connection held. */
export interface CopiedRows {
  /** The rows of `COPY … TO STDOUT` without the heads of their messages, in the memory of what was read. */
  rows: Buffer;
  /** Rows that ended in it. */
  count: number;
  /** From the first message that is none of the copy: its end, or an error. Null while the copy goes on. */
  rest: Buffer | null;
}

/** Takes the messages of a copy apart, wherever the reads cut through them. One message is one row. */
export function createCopyFrames(): (read: Buffer) => CopiedRows {
  /** The head of a message that began in an earlier read. */
  let head = Buffer.alloc(0);
  let isRow = false;
  /** Bytes of the message that are still to come. */
  let left = 0;

  return (read) => {
    let at = 0;
    let end = 0;
    let count = 0;
    while (at < read.length) {
      if (left > 0) {
        const length = Math.min(left, read.length - at);
        if (isRow) {
          // Rows close up over the heads between them: nothing is allocated for as many bytes as an export has.
          if (end < at) read.copyWithin(end, at, at + length);
          end += length;
        }
        at += length;
        left -= length;
        if (left === 0 && isRow) count += 1;
        continue;
      }
      const missing = HEAD_BYTES - head.length;
      const known =
        head.length === 0 ? read.subarray(at) : Buffer.concat([head, read.subarray(at, at + missing)]);
      if (known.length < HEAD_BYTES) {
        head = Buffer.from(known);
        break;
      }
      const type = known[0] ?? 0;
      isRow = type === COPY_DATA;
      if (!isRow && !PASSED_OVER.has(type))
        return { rows: read.subarray(0, end), count, rest: Buffer.concat([head, read.subarray(at)]) };
      left = known.readInt32BE(1) - LENGTH_BYTES;
      at += missing;
      head = head.subarray(0, 0);
      if (left === 0 && isRow) count += 1;
    }
    return { rows: read.subarray(0, end), count, rest: null };
  };
}
