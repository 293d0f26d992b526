import { fieldTypeOf } from '../../fields/field-types.ts';
import type { Step } from '../../fields/logic/steps.ts';
import type { Answers } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { countProgress } from './progress.ts';
import { firstTime } from './visit-memory.ts';

interface PostedStep {
  here: number;
  step: Step | undefined;
  sent: Answers;
  isFollowed: boolean;
}

/**
 * Counts a step sent by a browser without our script: fields answered for the first time in the visit. What the script has told of is only
 * remembered, so that pages which come after it in the visit do not count it again.
 * @param posted.here index of the step
 */
export function countPostedStep(
  context: Pick<Context, 'visits'>,
  form: PublishedForm,
  visitId: string,
  { here, step, sent, isFollowed }: PostedStep,
): void {
  const answered = (step?.blocks ?? []).filter(({ id, type }) => {
    const { kind, isEmpty } = fieldTypeOf(type);
    return kind === 'input' && !isEmpty(sent[id]);
  });
  if (isFollowed) firstTime(visitId, `step ${here}`);
  if (answered.length === 0) return;
  const started = firstTime(visitId, 'start');
  const fields = answered.map(({ id }) => id).filter((id) => firstTime(visitId, `field ${id}`));
  if (!isFollowed) countProgress(context, form, { started, fields });
}
