import { type AnswerSchema, type Certainty, choiceSchema } from '../answer-schema.ts';
import { isLongerThan, MAX_TEXT_CHARACTERS } from '../characters.ts';
import { CHOICE_FLAGS, choiceNames, choiceProblems, displayProblems, optionNames } from '../choices.ts';
import type {
  AnswerCheck,
  AnswerRules,
  CompletenessCheck,
  FieldContext,
  FieldType,
  OptionProblem,
} from '../field-type.ts';
import { MULTI_SELECT_OPERATORS } from '../operator-names.ts';
import { flagProblems, integerProblems } from '../option-checks.ts';
import { isBlank, numberOption } from '../options.ts';
import type { Property } from '../property.ts';
import { textOf } from '../text-of.ts';

/** A list of option names, kept in the order sent; a repeated name is refused. */
export const multiSelectRules: AnswerRules = {
  name: 'multi_select',
  kind: 'input',
  compile: compileMultiSelect,
  compileCompleteness: compileMinimum,
  isEmpty: isBlank,
};

export const multiSelectType: FieldType = {
  ...multiSelectRules,
  checkOptions: (property) => [
    ...flagProblems(property, CHOICE_FLAGS),
    ...integerProblems(property, 'min_selection', 0),
    ...integerProblems(property, 'max_selection', 1),
    ...minimumProblems(property),
    ...displayProblems(property),
    ...choiceProblems(property, 'multi_select'),
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
  const count = choiceNames(property, 'multi_select')?.size ?? Number.POSITIVE_INFINITY;
  const problem = (rest: string) => ({
    path: 'min_selection',
    message: `At least ${min} options have to be chosen, but ${rest}.`,
  });
  return [
    ...(min > max ? [problem(`at most ${max} may be`)] : []),
    ...(min > count ? [problem(`there ${count === 1 ? 'is only 1' : `are only ${count}`}`)] : []),
  ];
}

function multiSelectSchema(property: Property, { isComplete }: Certainty): AnswerSchema {
  const max = numberOption(property, 'max_selection');
  const min = isComplete ? (numberOption(property, 'min_selection') ?? 1) : 1;
  return {
    type: 'array',
    items: choiceSchema(choiceNames(property, 'multi_select'), optionNames(property, 'multi_select')),
    minItems: Math.max(min, 1),
    ...(max !== undefined && { maxItems: max }),
    uniqueItems: true,
  };
}

function compileMultiSelect(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const names = choiceNames(property, 'multi_select');
  const max = numberOption(property, 'max_selection');
  return (answer, report) => {
    if (!Array.isArray(answer)) {
      report(messages.list(name));
      return answer;
    }
    const seen = new Set<string>();
    answer.forEach((item) => {
      const known = typeof item === 'string' && item !== '' && (names === null || names.has(item));
      if (!known || seen.has(item) || isLongerThan(item, MAX_TEXT_CHARACTERS)) {
        report(messages.selectedInvalid(name));
      } else {
        seen.add(item);
      }
    });
    if (max !== undefined && answer.length > max) report(messages.maxSelection(max));
    return answer;
  };
}

/** The minimum applies to every answer; an optional field may still be left unanswered. */
function compileMinimum(property: Property, { messages }: FieldContext): CompletenessCheck {
  const min = numberOption(property, 'min_selection') ?? 0;
  return (answer, _required, report) => {
    if (Array.isArray(answer) && answer.length < min) report(messages.minSelection(min));
  };
}
