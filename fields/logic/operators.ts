import { plainNumber } from '../as-text/numbers.ts';
import { asNumber, isBlank, isOn } from '../block-options/options.ts';
import type { FieldEngines } from '../engines.ts';
import { isJsonObject, type JsonValue } from '../property.ts';

export interface OperatorContext {
  engines: FieldEngines;
  /** Today's UTC day, counted from 1970-01-01. */
  today: () => number;
}

/** Compares an answer with the condition's value. */
export type Operator = (
  answer: JsonValue | undefined,
  value: JsonValue | undefined,
  context: OperatorContext,
) => boolean;

/** Operators by name; those in `byType` have another meaning for answers of that type. */
export interface Operators {
  general: ReadonlyMap<string, Operator>;
  byType: ReadonlyMap<string, ReadonlyMap<string, Operator>>;
}

const equals: Operator = (answer, value) => {
  if (typeof answer === 'number' || typeof value === 'number') {
    const left = asNumber(answer);
    return left !== undefined && left === asNumber(value);
  }
  return isBlank(answer) ? isBlank(value) : sameJson(answer, value);
};

/** For a text: contains a part (case-sensitive). For a list: contains the value, or all values of a list. */
const contains: Operator = (answer, value) => {
  if (value === undefined || value === null) return false;
  if (Array.isArray(answer)) {
    const wanted = Array.isArray(value) ? value : [value];
    return wanted.length > 0 && wanted.every((item) => answer.some((member) => sameJson(member, item)));
  }
  const text = textOrNumber(answer);
  return text !== '' && text.includes(textOrNumber(value));
};

const isEmpty: Operator = (answer) =>
  isBlank(answer) || (isJsonObject(answer) && Object.keys(answer).length === 0);
const isChecked: Operator = (answer) => answer === true;
const sameTick: Operator = (answer, value) => (answer === true) === isOn(value);

/** The operators of most conditions. */
export const COMMON_OPERATORS: Operators = {
  general: new Map<string, Operator>([
    ['equals', equals],
    ['does_not_equal', not(equals)],
    ['contains', contains],
    ['does_not_contain', not(contains)],
    ['is_empty', isEmpty],
    ['is_not_empty', not(isEmpty)],
    ['is_checked', isChecked],
    ['is_not_checked', not(isChecked)],
  ]),
  byType: new Map([
    [
      'checkbox',
      new Map([
        ['equals', sameTick],
        ['does_not_equal', not(sameTick)],
      ]),
    ],
  ]),
};

/** The operator in its meaning for answers of that type; undefined for unknown names. */
export function operatorIn(
  { general, byType }: Operators,
  typeName: string,
  operatorName: string,
): Operator | undefined {
  return byType.get(typeName)?.get(operatorName) ?? general.get(operatorName);
}

export function not(operator: Operator): Operator {
  return (answer, value, context) => !operator(answer, value, context);
}

/** A text or number as text; '' for every other value. */
export function textOrNumber(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? plainNumber(value) : '';
}

/** Whether JSON values are equal, with members in any order. The server limits the depth of stored values. */
function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}
