import { textOf } from '../as-text/text-of.ts';
import { integerProblems } from '../block-options/option-checks.ts';
import { isBlank, numberOption } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, CompletenessCheck, FieldContext, FieldType } from '../field-type.ts';
import { SCORE_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { rangeSchema, readNumber } from './number.ts';

const DEFAULT_MAX = 5; // stars

/** Whole stars; 0 means none chosen, which a required rating refuses. */
export const ratingRules: AnswerRules = {
  name: 'rating',
  kind: 'input',
  compile: compileRating,
  compileCompleteness: compileRatingCompleteness,
  isEmpty: isBlank,
};

export const ratingType: FieldType = {
  ...ratingRules,
  checkOptions: (property) => integerProblems(property, 'rating_max_value', 1),
  toText: textOf,
  csvKind: 'number',
  answerSchema: (property, { isRequired }) =>
    rangeSchema('integer', { min: isRequired ? 1 : 0, max: ratingMax(property) }),
  operators: SCORE_OPERATORS,
};

/** The number of stars to choose from. */
export function ratingMax(property: Property): number {
  return numberOption(property, 'rating_max_value') ?? DEFAULT_MAX;
}

function compileRating(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const max = ratingMax(property);
  return (answer, report) => {
    const stars = readNumber(answer, property, messages, report);
    if (stars === undefined) return answer;
    if (!Number.isInteger(stars)) report(messages.integer(name));
    else if (stars < 0) report(messages.minValue(name, 0));
    else if (stars > max) report(messages.maxValue(name, max));
    return stars;
  };
}

function compileRatingCompleteness(_property: Property, { messages }: FieldContext): CompletenessCheck {
  return (answer, required, report) => {
    if (required && typeof answer === 'number' && answer < 1) report(messages.ratingMissing());
  };
}
