/** Longest mask, in characters. */
const MAX_MASK = 255;
const MASK = /^[9a*?(). -]+$/;

/** Slots: `9` digit, `a` letter, `*` either; `?` makes the slot before it optional. `( ) . -` and space stand for themselves. */
export function isMask(mask: string): boolean {
  return mask.length <= MAX_MASK && MASK.test(mask) && !mask.startsWith('?') && !mask.includes('??');
}
