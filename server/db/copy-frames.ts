/** Message formats of PostgreSQL's protocol 3.0: a type, then the length of everything behind the type as Int32. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;
const COPY_DATA = 'd'.charCodeAt(0);
/** What may stand between rows: the beginning of the copy, notices, changed settings, notifications. */
const PASSED_OVER = new Set(['H', 'N', 'S', 'A'].map((type) => type.charCodeAt(0)));

/** What one read of the connection held. */
export interface CopiedRows {
  /** Rows that ended in it. */
  count: number;
  /** From the first message that is none of the copy: its end, or an error. Null while the copy goes on. */
  rest: Buffer | null;
}

/**
 * Takes the messages of a copy apart, wherever the reads cut through them. One message is one row.
 * @param take is given the bytes of rows in their order, without the heads of their messages: those of a read from one
 * place to another
 */
export function createCopyFrames(
  take: (read: Buffer, from: number, to: number) => void,
): (read: Buffer) => CopiedRows {
  /** The head of a message that began in an earlier read. */
  let head = Buffer.alloc(0);
  let isRow = false;
  /** Bytes of the message that are still to come. */
  let left = 0;

  return (read) => {
    let at = 0;
    let count = 0;
    while (at < read.length) {
      if (left > 0) {
        const end = Math.min(at + left, read.length);
        if (isRow) take(read, at, end);
        left -= end - at;
        at = end;
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
      if (!isRow && !PASSED_OVER.has(type)) return { count, rest: Buffer.concat([head, read.subarray(at)]) };
      left = known.readInt32BE(1) - LENGTH_BYTES;
      at += missing;
      head = head.subarray(0, 0);
      if (left === 0 && isRow) count += 1;
    }
    return { count, rest: null };
  };
}
