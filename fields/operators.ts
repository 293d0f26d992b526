import { countCharacters } from './characters.ts';
import { addMonths, compareDates, parseDate } from './dates.ts';
import type { FieldEngines } from './engines.ts';
import { plainNumber } from './numbers.ts';
import { asNumber, isBlank, isOn } from './options.ts';
import { isJsonObject, type JsonValue } from './property.ts';

export interface OperatorContext {
  engines: FieldEngines;
  /** Today's UTC day, counted from 1970-01-01. */
  today: () => number;
}

/** Judges an answer against the condition's value. */
export type Operator = (
  answer: JsonValue | undefined,
  value: JsonValue | undefined,
  context: OperatorContext,
) => boolean;

/** The operator as answers of that type mean it; undefined for names no type knows. */
export function operatorOf(typeName: string, operatorName: string): Operator | undefined {
  return OPERATORS_BY_TYPE.get(typeName)?.get(operatorName) ?? GENERAL.get(operatorName);
}

const equals: Operator = (answer, value) => {
  if (typeof answer === 'number' || typeof value === 'number') {
    const left = asNumber(answer);
    return left !== undefined && left === asNumber(value);
  }
  return isBlank(answer) ? isBlank(value) : sameJson(answer, value);
};

/** Part of a text (case-sensitive), or member of a list; a list of values asks for all of them. */
const contains: Operator = (answer, value) => {
  if (value === undefined || value === null) return false;
  if (Array.isArray(answer)) {
    const wanted = Array.isArray(value) ? value : [value];
    return wanted.length > 0 && wanted.every((item) => answer.some((member) => sameJson(member, item)));
  }
  const text = plainText(answer);
  return text !== '' && text.includes(plainText(value));
};

const isEmpty: Operator = (answer) =>
  isBlank(answer) || (isJsonObject(answer) && Object.keys(answer).length === 0);
const matchesRegex: Operator = (answer, value, { engines }) =>
  typeof answer === 'string' && typeof value === 'string' && engines.matchesPattern(value, answer);
const isPaid: Operator = (answer) => typeof answer === 'string' && answer.startsWith('pi_');
const isChecked: Operator = (answer) => answer === true;
const sameTick: Operator = (answer, value) => (answer === true) === isOn(value);

/** Every row the condition names has the same column; other rows do not matter. */
const matrixEquals: Operator = (answer, value) =>
  isJsonObject(value) && Object.entries(value).every(([row, column]) => rowIs(answer, row, column));
const matrixContains: Operator = (answer, value) =>
  isJsonObject(value) && Object.entries(value).some(([row, column]) => rowIs(answer, row, column));

const GENERAL: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['equals', equals],
  ['does_not_equal', not(equals)],
  ['contains', contains],
  ['does_not_contain', not(contains)],
  ['starts_with', textual((text, part) => text.startsWith(part))],
  ['ends_with', textual((text, part) => text.endsWith(part))],
  ['is_empty', isEmpty],
  ['is_not_empty', not(isEmpty)],
  ['matches_regex', matchesRegex],
  ['does_not_match_regex', not(matchesRegex)],
  ['greater_than', numeric((answer, value) => answer > value)],
  ['less_than', numeric((answer, value) => answer < value)],
  ['greater_than_or_equal_to', numeric((answer, value) => answer >= value)],
  ['less_than_or_equal_to', numeric((answer, value) => answer <= value)],
  ['content_length_equals', contentLength((length, value) => length === value)],
  ['content_length_does_not_equal', contentLength((length, value) => length !== value)],
  ['content_length_greater_than', contentLength((length, value) => length > value)],
  ['content_length_greater_than_or_equal_to', contentLength((length, value) => length >= value)],
  ['content_length_less_than', contentLength((length, value) => length < value)],
  ['content_length_less_than_or_equal_to', contentLength((length, value) => length <= value)],
  ['is_checked', isChecked],
  ['is_not_checked', not(isChecked)],
  ['paid', isPaid],
  ['not_paid', not(isPaid)],
  ['before', dated((order) => order < 0)],
  ['after', dated((order) => order > 0)],
  ['on_or_before', dated((order) => order <= 0)],
  ['on_or_after', dated((order) => order >= 0)],
  ['at_least_x_days_ago', counted((day, today, days) => day <= today - days)],
  ['at_least_x_days_from_now', counted((day, today, days) => day >= today + days)],
  ['within_past_x_days', counted((day, today, days) => day >= today - days && day <= today)],
  ['within_next_x_days', counted((day, today, days) => day >= today && day <= today + days)],
  ['past_week', relative((day, today) => day >= today - 7 && day <= today)],
  ['past_month', relative((day, today) => day >= addMonths(today, -1) && day <= today)],
  ['past_year', relative((day, today) => day >= addMonths(today, -12) && day <= today)],
  ['next_week', relative((day, today) => day >= today && day <= today + 7)],
  ['next_month', relative((day, today) => day >= today && day <= addMonths(today, 1))],
  ['next_year', relative((day, today) => day >= today && day <= addMonths(today, 12))],
]);

const OPERATORS_BY_TYPE: ReadonlyMap<string, ReadonlyMap<string, Operator>> = new Map([
  ['date', new Map([['equals', dated((order) => order === 0)]])],
  [
    'checkbox',
    new Map([
      ['equals', sameTick],
      ['does_not_equal', not(sameTick)],
    ]),
  ],
  [
    'matrix',
    new Map([
      ['equals', matrixEquals],
      ['does_not_equal', not(matrixEquals)],
      ['contains', matrixContains],
      ['does_not_contain', not(matrixContains)],
    ]),
  ],
]);

function not(operator: Operator): Operator {
  return (answer, value, context) => !operator(answer, value, context);
}

function textual(test: (text: string, part: string) => boolean): Operator {
  return (answer, value) => {
    const text = plainText(answer);
    return text !== '' && value !== undefined && value !== null && test(text, plainText(value));
  };
}

function numeric(test: (answer: number, value: number) => boolean): Operator {
  return (answer, value) => {
    const [left, right] = [asNumber(answer), asNumber(value)];
    return left !== undefined && right !== undefined && test(left, right);
  };
}

/** Counts characters (code points), not bytes; numbers by their digits; false for an empty answer. */
function contentLength(test: (length: number, value: number) => boolean): Operator {
  return (answer, value) => {
    const text = plainText(answer);
    const length = asNumber(value);
    return text !== '' && length !== undefined && test(countCharacters(text), length);
  };
}

function dated(test: (order: number) => boolean): Operator {
  return (answer, value) => {
    const [left, right] = [dateIn(answer), dateIn(value)];
    return left !== null && right !== null && test(compareDates(left, right));
  };
}

function counted(test: (day: number, today: number, days: number) => boolean): Operator {
  return (answer, value, { today }) => {
    const date = dateIn(answer);
    const days = asNumber(value);
    return date !== null && days !== undefined && test(date.day, today(), days);
  };
}

function relative(test: (day: number, today: number) => boolean): Operator {
  return (answer, _value, { today }) => {
    const date = dateIn(answer);
    return date !== null && test(date.day, today());
  };
}

/** The date of an answer; a range is judged by its first day. */
function dateIn(answer: JsonValue | undefined) {
  const date = Array.isArray(answer) ? answer[0] : answer;
  return typeof date === 'string' ? parseDate(date) : null;
}

function rowIs(answer: JsonValue | undefined, row: string, column: JsonValue | undefined): boolean {
  return isJsonObject(answer) && Object.hasOwn(answer, row) && answer[row] === column;
}

/** Text of a text or number; '' for everything that has no text of its own. */
function plainText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? plainNumber(value) : '';
}

/** Equal JSON values, members in any order. Depth is bounded by what the server stores. */
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
