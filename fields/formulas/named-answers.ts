import type { Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';

/** A question of every entry of a field, as formulas name it: their value is the list of its answers. */
export type NamedAnswers = Property & {
  /** The field that repeats it. */
  repeatedBy: string;
};

/**
 * Everything of these fields that a formula can name in braces: the fields, and after one that repeats questions each of those, by
 * `<field>.<question>` in ids as in names.
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
