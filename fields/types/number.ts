import { isLongerThan } from '../characters.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, Report } from '../field-type.ts';
import type { Messages } from '../messages.ts';
import { exactNumber, isSafeNumber, plainNumber } from '../numbers.ts';
import { NUMBER_OPERATORS } from '../operator-names.ts';
import { integerProblems } from '../option-checks.ts';
import { isBlank } from '../options.ts';
import type { JsonValue, Property } from '../property.ts';
import { textOf } from '../text-of.ts';
import { characterLimit } from './text.ts';

export const numberRules: AnswerRules = {
  name: 'number',
  kind: 'input',
  compile: compileNumber,
  isEmpty: isBlank,
};

export const numberType: FieldType = {
  ...numberRules,
  checkOptions: (property) => integerProblems(property, 'max_char_limit', 1),
  toText: textOf,
  csvKind: 'number',
  operators: NUMBER_OPERATORS,
};

/** The number an answer holds, or undefined after reporting why there is none that can be stored exactly. */
export function readNumber(
  answer: JsonValue,
  property: Property,
  messages: Messages,
  report: Report,
): number | undefined {
  const number = typeof answer === 'string' ? exactNumber(answer) : answer;
  if (number === 'inexact') report(messages.inexactNumber(property.name));
  else if (typeof number !== 'number') report(messages.number(property.name));
  else if (!isSafeNumber(number)) report(messages.inexactNumber(property.name));
  else return number + 0; // JSON has no -0
  return undefined;
}

function compileNumber(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const limit = characterLimit(property);
  return (answer, report) => {
    const number = readNumber(answer, property, messages, report);
    if (number === undefined) return answer;
    if (isLongerThan(plainNumber(number), limit)) report(messages.maxCharacters(name, limit));
    return number;
  };
}
