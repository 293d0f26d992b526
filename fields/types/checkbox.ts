import type { AnswerRules, CompletenessCheck, FieldContext, FieldType } from '../field-type.ts';
import { CHECKBOX_OPERATORS } from '../operator-names.ts';
import { isBlank, isFlag, isOn } from '../options.ts';
import type { Property } from '../property.ts';
import { textOf } from '../text-of.ts';

/** Stored as true or false, however it was sent; a required box must be ticked. */
export const checkboxRules: AnswerRules = {
  name: 'checkbox',
  kind: 'input',
  compile:
    ({ name }, { messages }) =>
    (answer, report) => {
      if (isFlag(answer)) return isOn(answer);
      report(messages.boolean(name));
      return answer;
    },
  compileCompleteness: compileAcceptance,
  isEmpty: isBlank,
};

export const checkboxType: FieldType = {
  ...checkboxRules,
  checkOptions: () => [],
  toText: textOf,
  csvKind: 'boolean',
  answerSchema: (_property, { isRequired }) => ({ type: 'boolean', ...(isRequired && { const: true }) }),
  operators: CHECKBOX_OPERATORS,
};

function compileAcceptance({ name }: Property, { messages }: FieldContext): CompletenessCheck {
  return (answer, required, report) => {
    if (required && answer === false) report(messages.accepted(name));
  };
}
