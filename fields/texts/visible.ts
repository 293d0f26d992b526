/**
 * A character that people see: no blank, not even an empty Braille cell, no control character, and no filler (`DI`: by default ignorable).
 * For a regular expression with the flag `u`.
 */
export const VISIBLE = '[^\\s\\u2800\\p{C}\\p{DI}]';
const visible = new RegExp(VISIBLE, 'u');

/** Whether anything of a text is seen. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
