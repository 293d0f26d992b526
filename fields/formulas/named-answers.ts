import type { Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';

/** A question that a field repeats, as a formula names it; its value is the list of answers in all entries. */
type NamedAnswers = Property & {
  /** Id of the field that repeats it. */
  repeatedBy: string;
};

/**
 * All that formulas can name in braces: these fields, each followed by the questions it repeats, as `<field>.<question>` in both
 * id and name.
 */
export function namedAnswers(fields: readonly Property[]): (Property | NamedAnswers)[] {
  return fields.flatMap((field) => [
    field,
    ...questionsOf(field).map((question) => ({
      ...question,
      id: `${field.id}.${question.id}`,
      name: `${field.name}.${question.name}`,
      repeatedBy: field.id,
    })),
  ]);
}
