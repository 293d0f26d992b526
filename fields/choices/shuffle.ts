import { isOneOf } from '../block-options/options.ts';
import type { Property } from '../property.ts';
import { canonicalTypeName, OPTION_TYPES } from '../type-names.ts';

/** Ways to shuffle options. */
export const SHUFFLES = ['all', 'except_last'];

/** Whether each visit gets its own order of this question's options. */
export function isShuffled({ type, shuffle_options: order }: Property): boolean {
  return isOneOf(SHUFFLES, order) && canShuffle(type);
}

export function canShuffle(type: string): boolean {
  return OPTION_TYPES.includes(canonicalTypeName(type));
}

/**
 * A question's options in the order for one visit, the same on each of its pages.
 * @param seed of the visit; without one they are not shuffled
 * @param isKept whether an option keeps its place
 */
export function inShuffledOrder<Option>(
  options: readonly Option[],
  property: Property,
  seed: string | null,
  isKept: (option: Option) => boolean = () => false,
): readonly Option[] {
  if (seed === null || !isShuffled(property)) return options;
  const last = property.shuffle_options === 'except_last' ? options.length - 1 : null;
  const staysAt = (option: Option, index: number) => index === last || isKept(option);
  const order = options.filter((option, index) => !staysAt(option, index));
  const random = randomNumbers(`${seed} ${property.id}`);
  // Fisher–Yates: all orders are equally likely.
  for (let end = order.length - 1; end > 0; end--) {
    const other = Math.floor(random() * (end + 1));
    [order[end], order[other]] = [order[other] as Option, order[end] as Option];
  }
  const next = order.values();
  return options.map((option, index) => (staysAt(option, index) ? option : (next.next().value as Option)));
}

/** Numbers from 0 to 1, always the same for the same text: mulberry32, seeded with its FNV-1a hash. */
function randomNumbers(text: string): () => number {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
