import type { Property } from '../../fields/property.ts';
import { ALWAYS, all, any, combined, NEVER, negated, sizeOf, type Test } from './boolean-tests.ts';
import { hideWhen } from './conditions.ts';

/** Where a question leads: the first jump whose condition is true counts, otherwise the next question follows. */
export interface Jump {
  /** Null if the condition cannot be expressed here. */
  when: Test | null;
  /** The place of the next question; null if it is not further on. */
  to: number | null;
  /** What the ending is called that it leads to, if it leads to one. */
  ending?: string | undefined;
}

/** Most comparisons for one block; they grow with each branch, and more would be unreadable. */
export const MAX_COMPARISONS = 40;

/** A jump that is converted, with its start and target. */
interface Leap {
  from: number;
  to: number;
  ending: string | undefined;
  when: Test;
}

/**
 * Turns jumps into logic that shows the same blocks: a block is hidden if a jump from a visible block leads past it.
 * @param jumps by the place of the block they start from
 * @returns places with jumps that could not be converted, the answers that lead to endings, and all endings that jumps name
 */
export function applyJumps(
  blocks: readonly (readonly Property[])[],
  jumps: ReadonlyMap<number, readonly Jump[]>,
): { lost: number[]; ends: Map<string, Test>; aims: Set<string> } {
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
  const aims = [...jumps.values()].flat().flatMap(({ ending }) => ending ?? []);
  return { lost: [...lost], ends: endsOf(leaps), aims: new Set(aims) };
}

function endsOf(leaps: readonly Leap[]): Map<string, Test> {
  const ends = new Map<string, Test>();
  for (const { ending, when } of leaps)
    if (ending !== undefined) ends.set(ending, any(ends.get(ending) ?? NEVER, when));
  return ends;
}

/** The jumps that can be converted, up to the first that cannot, because later ones depend on it. */
function leapsFrom(
  from: number,
  ways: readonly Jump[],
  group: readonly Property[],
  isSeen: Test | null,
): Leap[] {
  const made: Leap[] = [];
  let isNoOther: Test | null = ALWAYS;
  for (const { when, to, ending } of ways) {
    if (when === null || to === null || to <= from || isNoOther === null || isSeen === null) break;
    if (sizeOf(isNoOther) > MAX_COMPARISONS) break;
    const needsIt = group.some(({ id }) => asksFor(when, id));
    made.push({ from, to, ending, when: all(needsIt ? ALWAYS : isSeen, isNoOther, when) });
    isNoOther = combined('all', [isNoOther, negated(when)]);
  }
  return made;
}

/** A block that is always passed by had another purpose, such as an ending: it stays, hidden. */
function hideAt(block: Property, reason: Test): void {
  if (JSON.stringify(reason) === JSON.stringify(ALWAYS)) block.hidden = true;
  else hideWhen(block, reason);
}

/** Whether a test can be true only if a question is answered, and therefore shown. */
function asksFor(test: Test, id: string): boolean {
  if ('all' in test) return test.all.some((one) => asksFor(one, id));
  if ('any' in test) return test.any.length > 0 && test.any.every((one) => asksFor(one, id));
  const { operator } = test.value;
  return test.identifier === id && !/not|is_empty/.test(operator.replace('is_not_empty', ''));
}
