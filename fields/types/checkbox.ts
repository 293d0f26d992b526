import type { CompletenessCheck, FieldContext, FieldType } from '../field-type.ts';
import { CHECKBOX_OPERATORS } from '../operator-names.ts';
import { isBlank } from '../options.ts';
import type { JsonValue, Property } from '../property.ts';
import { textOf } from '../text-of.ts';

const MEANINGS: ReadonlyMap<JsonValue, boolean> = new Map<JsonValue, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** Stored as true or false, however it was sent; a required one must be ticked. */
export const checkboxType: FieldType = {
  name: 'checkbox',
  kind: 'input',
  checkOptions: () => [],
  compile:
    ({ id, name }, { messages }) =>
    (answer, report) => {
      const ticked = MEANINGS.get(answer);
      if (ticked === undefined) report(id, messages.boolean(name));
      return ticked ?? answer;
    },
  compileCompleteness: compileAcceptance,
  isEmpty: isBlank,
  toText: textOf,
  csvKind: 'boolean',
  operators: CHECKBOX_OPERATORS,
};

function compileAcceptance({ id, name }: Property, { messages }: FieldContext): CompletenessCheck {
  return (answer, required, report) => {
    if (required && answer === false) report(id, messages.accepted(name));
  };
}
