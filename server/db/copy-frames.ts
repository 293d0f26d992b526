/** A message of PostgreSQL's protocol 3.0 begins with its type (1 byte) and the length of the rest, itself included, as Int32. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;
const COPY_DATA = 'd'.charCodeAt(0);
/** Types of messages that may come between rows: begin of the copy, notice, changed setting, notification. */
const PASSED_OVER = new Set(['H', 'N', 'S', 'A'].map((type) => type.charCodeAt(0)));

/** The rows found in one read of the connection. */
interface CopiedRows {
  /** Bytes of rows without message heads; they have been moved to the beginning of the read. */
  length: number;
  /** Rows that ended in it. */
  count: number;
  /** All bytes from the first message that does not belong to the copy: its end, or an error. Null while the copy goes on. */
  rest: Buffer | null;
}

/**
 * Takes the messages of a copy apart; a read may begin and end anywhere within a message. One message is one row. Rows are moved
 * together within the read itself, which is faster than a new buffer, or even a view, for each.
 */
export function createCopyFrames(): (read: Buffer) => CopiedRows {
  /** The first bytes of a head that the last read cut off. */
  let begun: Buffer = Buffer.alloc(0);
  let isRow = false;
  /** Bytes of the message that are still to come. */
  let left = 0;

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs once per exported row, and calls would cost more than it does.
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
