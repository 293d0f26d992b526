import { type AnswerSchema, type Certainty, choiceSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { flagProblems, integerProblems } from '../block-options/option-checks.ts';
import { numberOption } from '../block-options/options.ts';
import {
  CHOICE_FLAGS,
  choiceNames,
  choiceProblems,
  displayProblems,
  optionNames,
} from '../choices/choices.ts';
import { exclusiveNames, exclusiveProblems } from '../choices/exclusive-options.ts';
import type { FieldType, OptionProblem } from '../field-type.ts';
import { MULTI_SELECT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { exclusiveChoiceRules } from './exclusive-choice.ts';

export const multiSelectType: FieldType = {
  ...exclusiveChoiceRules(exclusiveNames),
  checkOptions: (property) => [
    ...flagProblems(property, CHOICE_FLAGS),
    ...integerProblems(property, 'min_selection', 0),
    ...integerProblems(property, 'max_selection', 1),
    ...minimumProblems(property),
    ...displayProblems(property),
    ...choiceProblems(property, 'multi_select'),
    ...exclusiveProblems(property),
  ],
  toText: textOf,
  csvKind: 'list',
  answerSchema: multiSelectSchema,
  operators: MULTI_SELECT_OPERATORS,
};

/** The builder of forms shows these messages unchanged. */
function minimumProblems(property: Property): OptionProblem[] {
  const min = numberOption(property, 'min_selection') ?? 0;
  const max = numberOption(property, 'max_selection') ?? Number.POSITIVE_INFINITY;
  const names = choiceNames(property, 'multi_select');
  const alone = exclusiveNames(property).size;
  // Whoever chooses an option that rules out the others need not choose more.
  const count = names === null ? Number.POSITIVE_INFINITY : names.size - alone;
  const others = alone > 0 ? ' beside those that rule out the others' : '';
  const problem = (rest: string) => ({
    path: 'min_selection',
    message: `At least ${min} options have to be chosen, but ${rest}.`,
  });
  return [
    ...(min > max ? [problem(`at most ${max} may be`)] : []),
    ...(min > count ? [problem(`there ${count === 1 ? 'is only 1' : `are only ${count}`}${others}`)] : []),
  ];
}

function multiSelectSchema(property: Property, { isComplete }: Certainty): AnswerSchema {
  const max = numberOption(property, 'max_selection');
  const min = isComplete ? (numberOption(property, 'min_selection') ?? 1) : 1;
  const names = choiceNames(property, 'multi_select');
  const alone = exclusiveNames(property);
  const listOf = (items: AnswerSchema, least: number): AnswerSchema => ({
    type: 'array',
    items,
    minItems: Math.max(least, 1),
    ...(max !== undefined && { maxItems: max }),
    uniqueItems: true,
  });
  if (alone.size === 0) return listOf(choiceSchema(names, optionNames(property, 'multi_select')), min);
  // Beside options of people's own, the schema does not tell which names stand alone.
  if (names === null) return listOf(choiceSchema(names, optionNames(property, 'multi_select')), 1);
  const others = [...names].filter((name) => !alone.has(name));
  const one: AnswerSchema = {
    type: 'array',
    items: choiceSchema(alone),
    minItems: 1,
    maxItems: 1,
  };
  return others.length === 0 ? one : { anyOf: [listOf(choiceSchema(new Set(others)), min), one] };
}
