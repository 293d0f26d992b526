import { isLongerThan, MAX_TEXT_CHARACTERS } from '../characters.ts';
import { choiceNames, choiceProblems } from '../choices.ts';
import type { AnswerCheck, FieldContext, FieldType } from '../field-type.ts';
import { SELECT_OPERATORS } from '../operator-names.ts';
import { enumProblems, flagProblems } from '../option-checks.ts';
import { isBlank } from '../options.ts';
import type { Property } from '../property.ts';
import { textOf } from '../text-of.ts';

const FLAGS = ['allow_creation', 'without_dropdown'];
const DISPLAY_MODES = ['text_only', 'text_and_image', 'image_only'];
const IMAGE_SIZES = ['sm', 'md', 'lg'];

/** One option's name, exactly; any text when the field has no options or lets people add their own. */
export const selectType: FieldType = {
  name: 'select',
  kind: 'input',
  checkOptions: (property) => [
    ...flagProblems(property, FLAGS),
    ...enumProblems(property, 'option_display_mode', DISPLAY_MODES),
    ...enumProblems(property, 'option_image_size', IMAGE_SIZES),
    ...choiceProblems(property, 'select'),
  ],
  compile: compileSelect,
  isEmpty: isBlank,
  toText: textOf,
  csvKind: 'text',
  operators: SELECT_OPERATORS,
};

function compileSelect(property: Property, { messages }: FieldContext): AnswerCheck {
  const { id, name } = property;
  const names = choiceNames(property, 'select');
  return (answer, report) => {
    if (typeof answer !== 'string' || (names !== null && !names.has(answer))) {
      report(id, messages.selectedInvalid(name));
    } else if (isLongerThan(answer, MAX_TEXT_CHARACTERS)) {
      report(id, messages.maxCharacters(name, MAX_TEXT_CHARACTERS));
    }
    return answer;
  };
}
