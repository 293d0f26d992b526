import { fieldTypeOf } from '../../fields/field-types.ts';
import { amountDue, charges, leastFixed, paymentBlockOf } from '../../fields/payment.ts';
import {
  type Answers,
  emptyAnswers,
  type JsonValue,
  ownMember,
  type Property,
} from '../../fields/property.ts';
import { sampleAnswer } from '../../fields/sample-answer.ts';
import type { ReceivedPayment } from '../payments/checkout.ts';
import type { DeliveredForm, NumberedSubmission } from './payload.ts';

/** Answers where `sampleAnswer` makes up none: nobody has uploaded a file, or a matrix has no columns. */
const STAND_INS: Readonly<Record<string, JsonValue>> = {
  files: ['sample_00000000-0000-4000-8000-000000000000.pdf'],
  matrix: {},
  signature: 'sign_00000000-0000-4000-8000-000000000000.png',
};

/** Of a payment at Stripe, as it writes them. */
const SAMPLE_REFERENCE = 'pi_000000000000000000000000';

/** A made-up submission of a form, to show what a delivery looks like. */
export function sampleSubmission({
  properties,
  endings,
  variables,
}: Pick<DeliveredForm, 'properties' | 'endings' | 'variables'>): NumberedSubmission {
  const publicId = '00000000-0000-4000-8000-000000000000';
  const answers = sampleAnswers(properties);
  return {
    id: 1,
    publicId,
    answers,
    attribution: null,
    ending: endings[0]?.id ?? null,
    payment: samplePayment({ properties, variables }, answers),
  };
}

/** What these answers cost, or anything, as if it were paid in test mode; null where the form asks for no money. */
function samplePayment(
  { properties, variables }: Pick<DeliveredForm, 'properties' | 'variables'>,
  answers: Answers,
): ReceivedPayment | null {
  const block = paymentBlockOf(properties);
  if (block === null) return null;
  const due =
    amountDue(block, (id) => variables.get(id)?.(answers) ?? ownMember(answers, id)) ??
    amountDue({ ...block, amount: leastFixed(block.currency) }, () => null);
  return due && { ...due, reference: SAMPLE_REFERENCE, mode: 'test', at: new Date() };
}

/** An answer to every field, in the shape that the field stores. */
export function sampleAnswers(properties: readonly Property[]): Answers {
  const answers = emptyAnswers();
  for (const property of properties) {
    const { kind, name } = fieldTypeOf(property.type);
    if (charges(property)) answers[property.id] = SAMPLE_REFERENCE;
    else if (kind !== 'layout')
      answers[property.id] = sampleAnswer(property) ?? STAND_INS[name] ?? 'Sample text';
  }
  return answers;
}
