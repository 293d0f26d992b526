import { CURRENCIES } from '../as-text/currencies.ts';
import type { FieldType, OptionProblem } from '../field-type.ts';
import { PAYMENT_OPERATORS } from '../logic/operator-names.ts';
import { charges, leastFixed, MAX_AMOUNT, roundHalfUp } from '../payment.ts';
import type { Property } from '../property.ts';
import { onlyMention } from '../texts/mentions.ts';
import { openType } from './unknown.ts';

/**
 * A block that asks for money (`amount`, `currency`). Its answer is the reference of the payment, which only the service writes. Without an
 * amount it asks nothing, and takes any answer.
 */
export const paymentType: FieldType = {
  ...openType('payment', PAYMENT_OPERATORS),
  compile: (property) => (charges(property) ? () => null : (answer) => answer),
  checkOptions: (property) => (charges(property) ? optionProblems(property) : []),
  answerSchema: (property) =>
    charges(property)
      ? { type: 'string', description: 'The reference of the payment at Stripe.' }
      : { description: 'Any JSON value.' },
};

function optionProblems({ amount, currency }: Property): OptionProblem[] {
  const problems: OptionProblem[] = [];
  const known = typeof currency === 'string' ? CURRENCIES.get(currency) : undefined;
  if (!known)
    problems.push({
      path: 'currency',
      message: 'The currency must be the code of one that Stripe charges, such as EUR.',
    });
  if (typeof amount === 'number') {
    const least = leastFixed(String(currency));
    if (!(amount >= least && amount <= MAX_AMOUNT))
      problems.push({ path: 'amount', message: `The amount must be from ${least} to ${MAX_AMOUNT}.` });
    else if (known && roundHalfUp(amount, known.decimals) !== amount)
      problems.push({ path: 'amount', message: decimalsProblem(String(currency), known.decimals) });
  } else if (onlyMention(amount) === null)
    problems.push({
      path: 'amount',
      message: 'The amount must be a number, or exactly one mention of a field or a calculation.',
    });
  return problems;
}

function decimalsProblem(currency: string, decimals: number): string {
  return decimals === 0
    ? `Amounts in ${currency} have no decimals.`
    : `Amounts in ${currency} have at most ${decimals} decimals.`;
}
