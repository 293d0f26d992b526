/**
 * Whether two texts look the same on screen, because people cannot type what they cannot see: kinds and numbers of spaces,
 * accents as part of letters or after them, and invisible characters make no difference.
 */
export function looksTheSame(one: string, other: string): boolean {
  return asSeen(one) === asSeen(other);
}

function asSeen(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u2800]+/g, ' ')
    .replace(/[\p{C}\p{DI}]/gu, '')
    .trim();
}
