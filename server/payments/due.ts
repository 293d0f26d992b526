import type { PageTexts } from '../../fields/languages/language.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import type { Moment, SubmissionLookup } from '../../fields/logic/logic.ts';
import {
  type AmountDue,
  amountDue,
  isBelowZero,
  leastDue,
  MAX_AMOUNT,
  wholeUnits,
} from '../../fields/payment.ts';
import { type Answers, ownMember } from '../../fields/property.ts';
import type { Messages } from '../../fields/texts/messages.ts';
import type { Context } from '../context.ts';
import { type HttpError, invalid, isRefusal } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { findPayment } from './queries.ts';

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
 * @throws HttpError 422 for less or more than can be paid at once, for what comes out below zero, and for what cannot be worked out: or
 * answers that nobody foresaw would save their sender the money
 */
export function dueFor(form: ChargingForm, answers: Answers, how: HowAsked = {}): AmountDue | null {
  const { payment: block, compiled } = form;
  if (block === null) return null;
  const { states, read } = compiled.show(answers, { existsInSubmissions: how.existsInSubmissions });
  if (states.get(block.id)?.hidden) return null;
  const fail = () => {
    throw refusal(form, how, (messages, name) => messages.number(name));
  };
  const valueFor = (id: string) => compiled.variables.get(id)?.(read, fail) ?? ownMember(read, id);
  const due = amountDue(block, valueFor);
  if (due === null) {
    if (isBelowZero(block, valueFor))
      throw refusal(form, how, (messages, name) => messages.minValue(name, 0));
    return null;
  }
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
  word: (messages: Messages, name: string, texts: PageTexts) => string,
): HttpError {
  const spoken = inLanguage(pageLanguage);
  const { fields, messages } = spoken.pageRules();
  const id = block?.id ?? '';
  const name = fields.find((field) => field.id === id)?.name ?? '';
  return invalid({ [id]: [word(messages, name, languageFor(spoken.presentation.language).page)] });
}

/**
 * Refuses to change answers into some that would cost more than was paid: a change is not paid. What costs no more than the former answers
 * would now may be changed all the same: the form may ask for more since they were paid, or a member took them in without.
 * @param change.before null when there are none to be changed
 * @throws HttpError 422
 */
export async function refuseUnpaidChange(
  { db }: Context,
  form: ChargingForm & Pick<PublishedForm, 'id'>,
  { publicId, before, answers }: { publicId: string; before: Answers | null; answers: Answers },
  how: HowAsked,
): Promise<void> {
  const due = before && dueFor(form, answers, how);
  if (!due) return;
  const payment = await findPayment(db, form.id, publicId);
  const paid = payment?.currency === due.currency ? payment.minor : 0;
  if (due.minor <= paid || due.minor <= costOf(form, before, { answers, how })) return;
  throw refusal(form, how, (_messages, _name, { payMore }) => payMore);
}

/**
 * What the former answers would cost now, in the smallest unit of the currency; nothing where that cannot be told, as where conditions ask
 * whether others have sent what is changed: those may have changed theirs since.
 * @param now.answers those that come in their place
 * @param now.how with what has been looked up for these
 */
function costOf(
  form: ChargingForm,
  before: Answers,
  { answers, how }: { answers: Answers; how: HowAsked },
): number {
  const same = new Set(form.compiled.lookups(answers).map((lookup) => JSON.stringify(lookup)));
  let isKnown = true;
  const existsInSubmissions = (lookup: SubmissionLookup) => {
    if (same.has(JSON.stringify(lookup))) return how.existsInSubmissions?.(lookup) ?? false;
    isKnown = false;
    return null;
  };
  try {
    const due = dueFor(form, before, { existsInSubmissions });
    return isKnown ? (due?.minor ?? 0) : 0;
  } catch (error) {
    if (isRefusal(error)) return 0;
    throw error;
  }
}
