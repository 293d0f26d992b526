import { fieldTypeOf } from '../../fields/field-types.ts';
import type { Answers } from '../../fields/property.ts';
import type { Step } from '../../fields/steps.ts';
import type { Context } from '../context.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { countProgress } from './progress.ts';
import { firstTime } from './visit-memory.ts';

/** Counts a step sent by a browser without our script: fields answered for the first time in the visit. */
export function countPostedStep(
  context: Pick<Context, 'visits'>,
  form: PublishedForm,
  visitId: string,
  { step, sent }: { step: Step | undefined; sent: Answers },
): void {
  const answered = (step?.blocks ?? []).filter(({ id, type }) => {
    const { kind, isEmpty } = fieldTypeOf(type);
    return kind === 'input' && !isEmpty(sent[id]);
  });
  if (answered.length === 0) return;
  countProgress(context, form, {
    started: firstTime(visitId, 'start'),
    fields: answered.map(({ id }) => id).filter((id) => firstTime(visitId, `field ${id}`)),
  });
}
