import { textOf } from '../as-text/text-of.ts';
import { isBlank, isFlag, isOn } from '../block-options/options.ts';
import type { AnswerRules, CompletenessCheck, FieldContext, FieldType } from '../field-type.ts';
import { CHECKBOX_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';

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
