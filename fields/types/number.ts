import type { AnswerSchema } from '../answer-schema.ts';
import { exactNumber, isSafeNumber, plainNumber } from '../as-text/numbers.ts';
import { textOf } from '../as-text/text-of.ts';
import { flagProblems, integerProblems, numberProblems } from '../block-options/option-checks.ts';
import { isBlank, isOn, numberOption } from '../block-options/options.ts';
import type {
  AnswerCheck,
  AnswerRules,
  FieldContext,
  FieldType,
  OptionProblem,
  Report,
} from '../field-type.ts';
import { NUMBER_OPERATORS } from '../logic/operator-names.ts';
import type { JsonValue, Property } from '../property.ts';
import { isLongerThan } from '../texts/characters.ts';
import type { Messages } from '../texts/messages.ts';
import { characterLimit } from './text.ts';

export const numberRules: AnswerRules = {
  name: 'number',
  kind: 'input',
  compile: compileNumber,
  isEmpty: isBlank,
};

export const numberType: FieldType = {
  ...numberRules,
  checkOptions: rangeProblems,
  toText: textOf,
  csvKind: 'number',
  answerSchema: (property) =>
    rangeSchema(isOn(property.whole_number) ? 'integer' : 'number', numberRange(property)),
  operators: NUMBER_OPERATORS,
};

/** The lowest and highest number a field accepts, both included; infinite if not set. */
export function numberRange(property: Property): { min: number; max: number } {
  return {
    min: numberOption(property, 'number_min_value') ?? -Infinity,
    max: numberOption(property, 'number_max_value') ?? Infinity,
  };
}

/** Numbers between two bounds, both included. */
export function rangeSchema(
  type: 'integer' | 'number',
  { min, max }: { min: number; max: number },
): AnswerSchema {
  return {
    type,
    ...(Number.isFinite(min) && { minimum: min }),
    ...(Number.isFinite(max) && { maximum: max }),
  };
}

/** An answer's number, or undefined after reporting why it cannot be stored exactly. */
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
  const { min, max } = numberRange(property);
  const isWhole = isOn(property.whole_number);
  return (answer, report) => {
    const number = readNumber(answer, property, messages, report);
    if (number === undefined) return answer;
    if (isLongerThan(plainNumber(number), limit)) report(messages.maxCharacters(name, limit));
    else if (number < min) report(messages.minValue(name, min));
    else if (number > max) report(messages.maxValue(name, max));
    else if (isWhole && number % 1) report(messages.integer(name));
    return number;
  };
}

function rangeProblems(property: Property): OptionProblem[] {
  const problems = [
    ...integerProblems(property, 'max_char_limit', 1),
    ...numberProblems(property, 'number_min_value'),
    ...numberProblems(property, 'number_max_value'),
    ...flagProblems(property, ['whole_number']),
  ];
  const { min, max } = numberRange(property);
  if (max < min)
    problems.push({
      path: 'number_max_value',
      message: `The number_max_value field must be at least ${min}.`,
    });
  return problems;
}
