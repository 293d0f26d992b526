import type { Property } from '../../fields/property.ts';
import { ALWAYS, all, any, combined, NEVER, negated, sizeOf, type Test } from './boolean-tests.ts';
import { hideWhen } from './conditions.ts';

/** Where one goes from a question: the first whose condition holds counts, else on to the next. */
export interface Jump {
  /** Null where it cannot be asked here. */
  when: Test | null;
  /** The place of the question that comes next; null where it is not further on. */
  to: number | null;
}

/** Comparisons of one block; more nobody could read, and they grow with each branch. */
const MAX_COMPARISONS = 40;

/** A jump that is made, and where it leads past what. */
interface Leap {
  from: number;
  to: number;
  when: Test;
}

/**
 * Shows and hides blocks so that one sees what one saw when one jumped: a block is hidden where a jump leads past it from a block that
 * is shown.
 * @param jumps by the place of the block from which they lead
 * @returns the places from which some jumps could not be brought along
 */
export function applyJumps(
  blocks: readonly (readonly Property[])[],
  jumps: ReadonlyMap<number, readonly Jump[]>,
): number[] {
  const lost = new Set<number>();
  const leaps: Leap[] = [];
  blocks.forEach((group, place) => {
    const past = leaps.filter(({ to }) => to > place);
    const size = past.reduce((sum, { when }) => sum + sizeOf(when), 0);
    const isReadable = size <= MAX_COMPARISONS;
    if (!isReadable) for (const { from } of past) lost.add(from);
    const hidden = isReadable ? any(...past.map(({ when }) => when)) : NEVER;
    for (const block of group) hideAt(block, hidden);
    const ways = jumps.get(place) ?? [];
    const made = leapsFrom(place, ways, group, negated(hidden));
    if (made.length < ways.length) lost.add(place);
    leaps.push(...made);
  });
  return [...lost];
}

/** Those that can be asked here, up to the first that cannot: what comes after that depends on it. */
function leapsFrom(
  from: number,
  ways: readonly Jump[],
  group: readonly Property[],
  isSeen: Test | null,
): Leap[] {
  const made: Leap[] = [];
  let isNoOther: Test | null = ALWAYS;
  for (const { when, to } of ways) {
    if (when === null || to === null || to <= from || isNoOther === null || isSeen === null) break;
    if (sizeOf(isNoOther) > MAX_COMPARISONS) break;
    const needsIt = group.some(({ id }) => asksFor(when, id));
    made.push({ from, to, when: all(needsIt ? ALWAYS : isSeen, isNoOther, when) });
    isNoOther = combined('all', [isNoOther, negated(when)]);
  }
  return made;
}

/** What is passed by always was there for something else, such as an ending: it stays, hidden. */
function hideAt(block: Property, reason: Test): void {
  if (JSON.stringify(reason) === JSON.stringify(ALWAYS)) block.hidden = true;
  else hideWhen(block, reason);
}

/** Whether it holds only where a question is answered, and so seen. */
function asksFor(test: Test, id: string): boolean {
  if ('all' in test) return test.all.some((one) => asksFor(one, id));
  if ('any' in test) return test.any.length > 0 && test.any.every((one) => asksFor(one, id));
  const { operator } = test.value;
  return test.identifier === id && !/not|is_empty/.test(operator.replace('is_not_empty', ''));
}
