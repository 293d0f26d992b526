import { isBlank, numberOption } from '../block-options/options.ts';
import { choiceNames } from '../choices/choices.ts';
import type { AnswerCheck, AnswerRules, CompletenessCheck, FieldContext } from '../field-type.ts';
import type { JsonValue, Property } from '../property.ts';
import { isLongerThan, MAX_TEXT_CHARACTERS } from '../texts/characters.ts';

/** A list of option names, kept in the order sent; a repeated name is refused. */
export const multiSelectRules: AnswerRules = {
  name: 'multi_select',
  kind: 'input',
  compile: compileMultiSelect,
  compileCompleteness: compileMinimum,
  isEmpty: isBlank,
};

function compileMultiSelect(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const names = choiceNames(property, 'multi_select');
  const max = numberOption(property, 'max_selection');
  return (answer, report) => {
    if (!Array.isArray(answer)) {
      report(messages.list(name));
      return answer;
    }
    const seen = new Set<JsonValue>();
    for (const item of answer) {
      const isKnown = typeof item === 'string' && item !== '' && (names === null || names.has(item));
      if (!isKnown || seen.has(item) || isLongerThan(item, MAX_TEXT_CHARACTERS))
        report(messages.selectedInvalid(name));
      seen.add(item);
    }
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
