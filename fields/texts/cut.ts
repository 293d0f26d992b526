/** Stands for text that was cut off. */
export const ELLIPSIS = '…';

/** The beginning of a text, up to so many characters (code points). */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}${ELLIPSIS}`;
}
