import { type AmountDue, amountDue, MAX_AMOUNT, wholeUnits } from '../../fields/payment.ts';
import { type Answers, ownMember } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { HttpError, invalid } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { countUnpaid } from './queries.ts';

/** Most submissions of a form that wait to be paid. */
const MAX_WAITING = 10_000;

/**
 * What the sender of these answers has to pay; null for nothing, as where logic hides the payment block.
 * @param answers as they are to be stored
 * @param pageLanguage problems are told as the form's page in this language words them
 * @throws HttpError 422 for more than can be paid at once
 */
export function dueFor(
  { payment: block, compiled, inLanguage }: Pick<PublishedForm, 'payment' | 'compiled' | 'inLanguage'>,
  answers: Answers,
  pageLanguage = '',
): AmountDue | null {
  if (block === null) return null;
  const { states, read } = compiled.show(answers);
  if (states.get(block.id)?.hidden) return null;
  const due = amountDue(block, (id) => compiled.variables.get(id)?.(read) ?? ownMember(read, id));
  if (due === null || wholeUnits(due) <= MAX_AMOUNT) return due;
  const { fields, messages } = inLanguage(pageLanguage).pageRules();
  const name = fields.find(({ id }) => id === block.id)?.name ?? '';
  throw invalid({ [block.id]: [messages.maxValue(name, MAX_AMOUNT)] });
}

/** @throws HttpError 429 when as many submissions wait to be paid as may */
export async function refuseIfTooManyUnpaid({ db }: Context, formId: number): Promise<void> {
  if ((await countUnpaid(db, formId)) < MAX_WAITING) return;
  throw new HttpError(
    429,
    'Too many people have not paid at this form yet. Please try again later.',
    { error: 'too_many_unpaid' },
    { 'retry-after': '3600' },
  );
}
