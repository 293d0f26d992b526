import type { Property } from '../property.ts';
import { canonicalTypeName } from '../type-names.ts';

/** Blocks shown together. */
export interface Step {
  blocks: Property[];
  /** The page break that ends the step, with the texts of its buttons; null for the last step. */
  end: Property | null;
}

/**
 * Divides a form into steps: at its page breaks, or (`focused`) after every field, together with the texts and pictures above it.
 * There is at least one step, which may be empty.
 */
export function stepsOf(properties: readonly Property[], style: 'classic' | 'focused'): Step[] {
  const steps: Step[] = [];
  let blocks: Property[] = [];
  const close = (end: Property | null) => {
    steps.push({ blocks, end });
    blocks = [];
  };
  for (const property of properties) {
    const name = canonicalTypeName(property.type);
    if (name === 'nf-page-break') {
      if (style === 'classic' || blocks.length > 0) close(property);
    } else {
      blocks.push(property);
      if (style === 'focused' && !name.startsWith('nf-')) close(null);
    }
  }
  if (blocks.length > 0 || steps.length === 0) close(null);
  return steps;
}

/** Where in a form somebody is. */
export interface StepPlace {
  index: number;
  /** Id of the first block of the step, by which it is found if the form was changed since; null for none. */
  firstBlock: string | null;
}

export const FIRST_STEP: StepPlace = { index: 0, firstBlock: null };

export function placeOf(steps: readonly Step[], index: number): StepPlace {
  return { index, firstBlock: steps[index]?.blocks[0]?.id ?? null };
}

/** Index of the step at this place; the form may have fewer by now. */
export function indexOfPlace(steps: readonly Step[], { index, firstBlock }: StepPlace): number {
  const found = steps.findIndex(({ blocks }) => blocks.some(({ id }) => id === firstBlock));
  return found < 0 ? index : found;
}

type States = ReadonlyMap<string, { hidden: boolean }>;

/** The wanted step, or the nearest one that shows anything. */
export function currentStep(steps: readonly Step[], states: States, wanted: number): number {
  const index = Math.min(wanted, steps.length - 1);
  if (isShown(steps[index], states)) return index;
  return nextStep(steps, states, index, 1) ?? nextStep(steps, states, index, -1) ?? index;
}

/** The next step forwards or backwards that shows anything, or null. */
export function nextStep(
  steps: readonly Step[],
  states: States,
  from: number,
  direction: 1 | -1,
): number | null {
  for (let index = from + direction; index >= 0 && index < steps.length; index += direction) {
    if (isShown(steps[index], states)) return index;
  }
  return null;
}

function isShown(step: Step | undefined, states: States): boolean {
  return step?.blocks.some(({ id }) => states.get(id)?.hidden === false) ?? false;
}
