import { isBlank } from '../../../fields/block-options/options.ts';
import { placeOf, type Step, type StepPlace, stepsOf } from '../../../fields/logic/steps.ts';
import { type Answers, ownMember } from '../../../fields/property.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/**
 * The step where whoever comes back goes on: the first with a question that has to be answered and is not, but none beyond the
 * one after the last answer. Where nothing has to be answered any more, it is the one with that.
 */
export function stepWhereLeft(
  { properties, presentation, compiled }: PublishedForm,
  stored: Answers,
): StepPlace {
  const { states } = compiled.show(stored);
  const steps = stepsOf(properties, presentation.presentation_style);
  const isAnswered = (id: string) => !isBlank(ownMember(stored, id) ?? null);
  const isSeen = (id: string) => states.get(id)?.hidden === false;
  const last = steps.findLastIndex(has((id) => isSeen(id) && isAnswered(id)));
  const missing = steps.findIndex(has((id) => isSeen(id) && states.get(id)?.required && !isAnswered(id)));
  return placeOf(steps, Math.max(0, missing < 0 ? last : Math.min(missing, last + 1)));
}

function has(test: (id: string) => boolean | undefined): (step: Step) => boolean {
  return ({ blocks }) => blocks.some(({ id }) => test(id));
}
