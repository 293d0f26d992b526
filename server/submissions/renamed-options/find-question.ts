import { optionNames } from '../../../fields/choices/choices.ts';
import type { Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName, OPTION_TYPES } from '../../../fields/type-names.ts';

/** A question with options, and where its answers are stored. */
export interface Question {
  /** Id of the field. */
  field: string;
  /** Id of the question inside, where the field repeats questions. */
  repeated: string | null;
  /** Whether it asks for an order. */
  isRanking: boolean;
  /** Names of its options. */
  options: readonly string[];
}

/** @param id of a field, or of a question inside a field that repeats questions @returns null when it has no options */
export function findQuestion(properties: readonly Property[], id: string): Question | null {
  for (const property of properties) {
    if (property.id === id) return withOptions(property, { field: id, repeated: null });
    const repeated = canonicalTypeName(property.type) === 'repeat' ? questionsOf(property) : [];
    const question = repeated.find((one) => one.id === id);
    if (question) return withOptions(question, { field: property.id, repeated: id });
  }
  return null;
}

function withOptions(property: Property, place: Pick<Question, 'field' | 'repeated'>): Question | null {
  const type = canonicalTypeName(property.type);
  if (!OPTION_TYPES.includes(type)) return null;
  return { ...place, isRanking: type === 'ranking', options: optionNames(property, type) };
}
