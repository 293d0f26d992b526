import { withUnseenChoice } from '../../../fields/former-answers/unseen-answers.ts';
import type { Step } from '../../../fields/logic/steps.ts';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/** The problems of the fields of a step and those before it, whose answers may have become wrong since: the form may have changed. */
export function problemsUpTo(here: number, steps: readonly Step[], problems: ErrorBag): ErrorBag {
  const judged = steps.slice(0, here + 1);
  return Object.fromEntries(
    Object.entries(problems).filter(([key]) => judged.some((step) => holds(step, key))),
  );
}

/** What was chosen on a step and cannot be shown there any more, as the problems of these fields. */
export function unseenProblems(form: PublishedForm, { blocks }: Step, answers: Answers): ErrorBag {
  const unseen = withUnseenChoice(form.compiled.fields, answers).filter(({ id }) =>
    blocks.some((block) => block.id === id),
  );
  if (unseen.length === 0) return {};
  const { errors } = form.pageRules().check(answers);
  return Object.fromEntries(unseen.map(({ id }) => [id, errors?.[id] ?? []]));
}

/** Index of the first step with a field that has a problem, or null. */
export function firstWrongStep(steps: readonly Step[], problems: ErrorBag): number | null {
  const index = steps.findIndex((step) => Object.keys(problems).some((key) => holds(step, key)));
  return index < 0 ? null : index;
}

function holds({ blocks }: Step, key: string): boolean {
  return blocks.some(({ id }) => key === id);
}
