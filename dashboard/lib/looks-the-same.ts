/**
 * Whether two texts look the same on screen: spaces count once and of any kind, accents within letters or after them, and
 * invisible characters do not count. Nobody can type what they cannot see.
 */
export function looksTheSame(one: string, other: string): boolean {
  return asSeen(one) === asSeen(other);
}

function asSeen(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
}
