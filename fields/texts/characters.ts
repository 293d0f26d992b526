/** Longest text answer, in characters (code points). */
export const MAX_TEXT_CHARACTERS = 100_000;

/** Characters of a text as people count them: code points, not bytes or UTF-16 units. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** True if the text has more characters than the limit; short texts need no counting. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && countCharacters(text) > limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
