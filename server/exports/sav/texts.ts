import { ELLIPSIS } from '../../../fields/texts/cut.ts';

/** Of the room of a text that is too long, its end gets one part in so many: what tells long texts apart is often at their end. */
const END_SHARE = 3;

/** A text in UTF-8, cut to at most so many bytes, but never within a character. */
export function bytesOf(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while (isWithinCharacter(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

/** A text of at most so many bytes of UTF-8: `The beginning … the end` of a longer one. */
export function shortened(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  // No more of it can be shown: a matrix may have thousands of rows, each with all its columns.
  const bytes = Buffer.from(text.slice(-most));
  const room = most - Buffer.byteLength(ELLIPSIS);
  let from = bytes.length - Math.floor(room / END_SHARE);
  while (isWithinCharacter(bytes[from])) from += 1;
  const end = bytes.subarray(from).toString();
  const beginning = bytesOf(text.slice(0, most), room - Buffer.byteLength(end)).toString();
  return `${beginning}${ELLIPSIS}${end}`;
}

/** Different texts, shortened to at most so many bytes; among equal ones the second gets ` (2)`. */
export function shortenedApart(texts: readonly string[], most: number): string[] {
  const taken = new Set(texts.filter((text) => Buffer.byteLength(text) <= most));
  /** How many have been shortened to the same: the search for a free one goes on from there. */
  const counts = new Map<string, number>();
  return texts.map((text) => {
    if (taken.has(text)) return text;
    const first = shortened(text, most);
    let count = counts.get(first) ?? 1;
    let short = first;
    while (taken.has(short)) {
      count += 1;
      const suffix = ` (${count})`;
      short = `${shortened(text, most - suffix.length)}${suffix}`;
    }
    counts.set(first, count);
    taken.add(short);
    return short;
  });
}

function isWithinCharacter(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
