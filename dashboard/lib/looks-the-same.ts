/**
 * Whether two texts look the same where they are shown: several spaces, or one that does not break, are one, an accent stands in
 * its letter or behind it, and some characters are not seen at all. Nobody can type what they cannot see.
 */
export function looksTheSame(one: string, other: string): boolean {
  return asSeen(one) === asSeen(other);
}

function asSeen(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
}
