import { amountText } from '../../fields/as-text/currencies.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { paymentBlockOf, wholeUnits } from '../../fields/payment.ts';
import type { Answers, Property } from '../../fields/property.ts';
import type { ReceivedPayment } from './checkout.ts';

interface Paid {
  answers: Answers;
  payment?: ReceivedPayment | null;
}

/**
 * Prepares answers for texts that people read: what was paid is the answer to the payment block, `€12.50 (pi_…)`, and not its reference
 * alone. Of a payment in test mode it says so.
 */
export function compileAmountPaid({
  properties,
  language,
}: {
  properties: readonly Property[];
  language: string;
}): (submission: Paid) => Answers {
  const block = paymentBlockOf(properties);
  if (block === null) return ({ answers }) => answers;
  const { page: texts, code } = languageFor(language);
  return ({ answers, payment }) => {
    if (!payment) return answers;
    const amount = `${amountText(wholeUnits(payment), payment.currency, code)} (${payment.reference})`;
    const said = payment.mode === 'test' ? `${amount}\n${texts.payTest}` : amount;
    return { ...answers, [block.id]: said };
  };
}
