import type { Step } from '../../../fields/logic/steps.ts';
import type { ErrorBag } from '../../../fields/property.ts';

/** The problems of one step's fields. */
export function problemsOf(step: Step | undefined, problems: ErrorBag): ErrorBag {
  return Object.fromEntries(
    Object.entries(problems).filter(([key]) => step !== undefined && holds(step, key)),
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
