import type { Step } from '../../../fields/logic/steps.ts';
import type { ErrorBag } from '../../../fields/property.ts';

/** The problems of the fields of a step and those before it, whose answers may have become wrong since: the form may have changed. */
export function problemsUpTo(here: number, steps: readonly Step[], problems: ErrorBag): ErrorBag {
  const judged = steps.slice(0, here + 1);
  return Object.fromEntries(
    Object.entries(problems).filter(([key]) => judged.some((step) => holds(step, key))),
  );
}

/** Index of the first step with a field that has a problem, or null. */
export function firstWrongStep(steps: readonly Step[], problems: ErrorBag): number | null {
  const index = steps.findIndex((step) => Object.keys(problems).some((key) => holds(step, key)));
  return index < 0 ? null : index;
}

function holds({ blocks }: Step, key: string): boolean {
  return blocks.some(({ id }) => key === id);
}
