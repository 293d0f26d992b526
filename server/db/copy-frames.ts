/** Message formats of PostgreSQL's protocol 3.0: a type, then the length of everything behind the type as Int32. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;
const COPY_DATA = 'd'.charCodeAt(0);
/** What may stand between rows: the beginning of the copy, notices, changed settings, notifications. */
const PASSED_OVER = new Set(['H', 'N', 'S', 'A'].map((type) => type.charCodeAt(0)));

/** What one read of the connection held. */
export interface CopiedRows {
  /** So many bytes of rows, without the heads of their messages; they stand together at the beginning of the read now. */
  length: number;
  /** Rows that ended in it. */
  count: number;
  /** From the first message that is none of the copy: its end, or an error. Null while the copy goes on. */
  rest: Buffer | null;
}

/**
 * Takes the messages of a copy apart, wherever the reads cut through them. One message is one row. The rows are moved together within
 * the read itself: a new place for each, or only a view of it, takes longer than to move it.
 */
export function createCopyFrames(): (read: Buffer) => CopiedRows {
  /** The beginning of a head that an earlier read ended in. */
  let begun: Buffer = Buffer.alloc(0);
  let isRow = false;
  /** Bytes of the message that are still to come. */
  let left = 0;

  return (read) => {
    let at = 0;
    let length = 0;
    let count = 0;
    while (at < read.length) {
      if (left > 0) {
        const end = Math.min(at + left, read.length);
        if (isRow) {
          read.copyWithin(length, at, end);
          length += end - at;
        }
        left -= end - at;
        at = end;
        if (left === 0 && isRow) count += 1;
        continue;
      }
      const isWhole = begun.length === 0 && at + HEAD_BYTES <= read.length;
      const missing = HEAD_BYTES - begun.length;
      const head = isWhole ? read : Buffer.concat([begun, read.subarray(at, at + missing)]);
      const start = isWhole ? at : 0;
      if (head.length - start < HEAD_BYTES) {
        begun = head;
        break;
      }
      const type = head[start] ?? 0;
      isRow = type === COPY_DATA;
      if (!isRow && !PASSED_OVER.has(type))
        return { length, count, rest: Buffer.concat([begun, read.subarray(at)]) };
      left = head.readInt32BE(start + 1) - LENGTH_BYTES;
      at += missing;
      begun = begun.subarray(0, 0);
      if (left === 0 && isRow) count += 1;
    }
    return { length, count, rest: null };
  };
}
