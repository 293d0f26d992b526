import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Answers, emptyAnswers, type JsonValue, type Property } from '../../fields/property.ts';
import { sampleAnswer } from '../../fields/sample-answer.ts';
import type { DeliveredForm, NumberedSubmission } from './payload.ts';

/** Answers where `sampleAnswer` makes up none: nobody has uploaded a file, or a matrix has no columns. */
const STAND_INS: Readonly<Record<string, JsonValue>> = {
  files: ['sample_00000000-0000-4000-8000-000000000000.pdf'],
  matrix: {},
  signature: 'sign_00000000-0000-4000-8000-000000000000.png',
};

/** A made-up submission of a form, to show what a delivery looks like. */
export function sampleSubmission({
  properties,
  endings,
}: Pick<DeliveredForm, 'properties' | 'endings'>): NumberedSubmission {
  const publicId = '00000000-0000-4000-8000-000000000000';
  return {
    id: 1,
    publicId,
    answers: sampleAnswers(properties),
    attribution: null,
    ending: endings[0]?.id ?? null,
  };
}

/** An answer to every field, in the shape that the field stores. */
export function sampleAnswers(properties: readonly Property[]): Answers {
  const answers = emptyAnswers();
  for (const property of properties) {
    const { kind, name } = fieldTypeOf(property.type);
    if (kind !== 'layout') answers[property.id] = sampleAnswer(property) ?? STAND_INS[name] ?? 'Sample text';
  }
  return answers;
}
