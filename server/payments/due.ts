import type { Moment } from '../../fields/logic.ts';
import type { Messages } from '../../fields/messages.ts';
import { type AmountDue, amountDue, leastDue, MAX_AMOUNT, wholeUnits } from '../../fields/payment.ts';
import { type Answers, ownMember } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { type HttpError, invalid, isRefusal } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { findPayments } from './queries.ts';

type ChargingForm = Pick<PublishedForm, 'payment' | 'compiled' | 'inLanguage'>;

interface HowAsked {
  pageLanguage?: string | undefined;
  existsInSubmissions?: Moment['existsInSubmissions'];
}

/**
 * What the sender of these answers has to pay; null for nothing, as where logic hides the payment block.
 * @param answers as they are to be stored
 * @param how.pageLanguage problems are told as the form's page in this language words them
 * @param how.existsInSubmissions what conditions have looked up
 * @throws HttpError 422 for less or more than can be paid at once, and for what cannot be worked out: or answers that make a formula fail
 * would save their sender the money
 */
export function dueFor(form: ChargingForm, answers: Answers, how: HowAsked = {}): AmountDue | null {
  const { payment: block, compiled } = form;
  if (block === null) return null;
  const { states, read } = compiled.show(answers, { existsInSubmissions: how.existsInSubmissions });
  if (states.get(block.id)?.hidden) return null;
  const fail = () => {
    throw refusal(form, how, (messages, name) => messages.number(name));
  };
  const due = amountDue(block, (id) => compiled.variables.get(id)?.(read, fail) ?? ownMember(read, id));
  if (due === null) return null;
  const least = leastDue(due.currency);
  if (wholeUnits(due) < least) throw refusal(form, how, (messages, name) => messages.minValue(name, least));
  if (wholeUnits(due) > MAX_AMOUNT)
    throw refusal(form, how, (messages, name) => messages.maxValue(name, MAX_AMOUNT));
  return due;
}

/** 422 on the payment block, as the page asked for words it. */
function refusal(
  { payment: block, inLanguage }: ChargingForm,
  { pageLanguage = '' }: HowAsked,
  word: (messages: Messages, name: string) => string,
): HttpError {
  const { fields, messages } = inLanguage(pageLanguage).pageRules();
  const id = block?.id ?? '';
  const name = fields.find((field) => field.id === id)?.name ?? '';
  return invalid({ [id]: [word(messages, name)] });
}

/**
 * Refuses to change answers that cost nothing into answers that would cost something: a change is not paid. What was paid, or came in
 * without as a member wanted it so, may be changed.
 * @throws HttpError 422
 */
export async function refuseUnpaidChange(
  { db }: Context,
  form: ChargingForm & Pick<PublishedForm, 'id'>,
  { publicId, before, answers }: { publicId: string; before: Answers; answers: Answers },
  how: HowAsked,
): Promise<void> {
  if (dueFor(form, answers, how) === null) return;
  const paid = await findPayments(db, form.id, [publicId]);
  if (paid.has(publicId) || costsSomething(form, before)) return;
  throw refusal(form, how, (messages, name) => messages.maxValue(name, 0));
}

function costsSomething(form: ChargingForm, answers: Answers): boolean {
  try {
    return dueFor(form, answers) !== null;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
