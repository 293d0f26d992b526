import { choiceSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { flagProblems } from '../block-options/option-checks.ts';
import { isBlank } from '../block-options/options.ts';
import {
  CHOICE_FLAGS,
  choiceNames,
  choiceProblems,
  displayProblems,
  optionNames,
} from '../choices/choices.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { SELECT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { isLongerThan, MAX_TEXT_CHARACTERS } from '../texts/characters.ts';

/** One option's exact name; any text if the field has no options or allows new ones. */
export const selectRules: AnswerRules = {
  name: 'select',
  kind: 'input',
  compile: compileSelect,
  isEmpty: isBlank,
};

export const selectType: FieldType = {
  ...selectRules,
  checkOptions: (property) => [
    ...flagProblems(property, CHOICE_FLAGS),
    ...displayProblems(property),
    ...choiceProblems(property, 'select'),
  ],
  toText: textOf,
  csvKind: 'text',
  answerSchema: (property) => choiceSchema(choiceNames(property, 'select'), optionNames(property, 'select')),
  operators: SELECT_OPERATORS,
};

function compileSelect(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const names = choiceNames(property, 'select');
  return (answer, report) => {
    if (typeof answer !== 'string' || (names !== null && !names.has(answer))) {
      report(messages.selectedInvalid(name));
    } else if (isLongerThan(answer, MAX_TEXT_CHARACTERS)) {
      report(messages.maxCharacters(name, MAX_TEXT_CHARACTERS));
    }
    return answer;
  };
}
