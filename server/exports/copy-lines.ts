import type { JsonValue } from '../../fields/property.ts';

const NEWLINE = 0x0a;
/** Bytes converted at a time, which takes some milliseconds; other work of the process can run in between. */
const TURN_BYTES = 32 * 1024;

/** null in the text format of COPY. */
export const ABSENT = '\\N';
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * Cuts the output of a `COPY … TO STDOUT` in text format into texts of whole lines. The beginning of an incomplete line is kept for the
 * next call.
 */
export function createLineCutter(): (bytes: Buffer) => Iterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  return function* (bytes) {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, bytes]);
      return;
    }
    const whole = Buffer.concat([rest, bytes.subarray(0, end)]);
    rest = Buffer.from(bytes.subarray(end));
    for (let from = 0; from < whole.length; ) {
      const to = whole.indexOf(NEWLINE, Math.min(from + TURN_BYTES, whole.length - 1)) + 1;
      yield whole.toString('utf8', from, to);
      from = to;
    }
  };
}

/** The lines of such a text, without line ends. */
export function* linesOf(text: string): Iterable<string> {
  for (let from = 0, to = text.indexOf('\n'); to >= 0; from = to + 1, to = text.indexOf('\n', from))
    yield text.slice(from, to);
}

export function unescapeField(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(/\\(.)/g, (_, character: string) => CONTROLS[character] ?? character);
}

/** The answer in a field of `jsonCellsStatement`. */
export function answerIn(field: string): JsonValue {
  if (field === ABSENT) return null;
  // Fast path: most answers are texts in which nothing had to be escaped.
  if (field.startsWith('"') && !field.includes('\\')) return field.slice(1, -1);
  return JSON.parse(unescapeField(field));
}
