import { addMonths, compareDates, parseDate } from '../as-text/dates.ts';
import { asNumber } from '../block-options/options.ts';
import { isJsonObject, type JsonValue } from '../property.ts';
import { countCharacters } from '../texts/characters.ts';
import { wordsIn } from '../texts/plain-text.ts';
import { COMMON_OPERATORS, not, type Operator, type Operators, textOrNumber } from './operators.ts';

const matchesRegex: Operator = (answer, value, { engines }) =>
  typeof answer === 'string' && typeof value === 'string' && engines.matchesPattern(value, answer);
const isPaid: Operator = (answer) => typeof answer === 'string' && answer.startsWith('pi_');
/** True if every row in the condition has that column; other rows do not matter. */
const matrixEquals: Operator = (answer, value) =>
  isJsonObject(value) && Object.entries(value).every(([row, column]) => rowIs(answer, row, column));
const matrixContains: Operator = (answer, value) =>
  isJsonObject(value) && Object.entries(value).some(([row, column]) => rowIs(answer, row, column));

const GENERAL: ReadonlyMap<string, Operator> = new Map([
  ['greater_than', numeric((answer, value) => answer > value)],
  ['less_than', numeric((answer, value) => answer < value)],
  ['greater_than_or_equal_to', numeric((answer, value) => answer >= value)],
  ['less_than_or_equal_to', numeric((answer, value) => answer <= value)],
  ['starts_with', textual((text, part) => text.startsWith(part))],
  ['ends_with', textual((text, part) => text.endsWith(part))],
  ['matches_regex', matchesRegex],
  ['does_not_match_regex', not(matchesRegex)],
  ['content_length_equals', contentLength((length, value) => length === value)],
  ['content_length_does_not_equal', contentLength((length, value) => length !== value)],
  ['content_length_greater_than', contentLength((length, value) => length > value)],
  ['content_length_greater_than_or_equal_to', contentLength((length, value) => length >= value)],
  ['content_length_less_than', contentLength((length, value) => length < value)],
  ['content_length_less_than_or_equal_to', contentLength((length, value) => length <= value)],
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

/** The operators of few conditions, and the meaning that common names have for dates, matrices, rankings and rich texts. */
export const RARE_OPERATORS: Operators = {
  general: GENERAL,
  byType: new Map<string, ReadonlyMap<string, Operator>>([
    [
      'rich_text',
      new Map([...COMMON_OPERATORS.general, ...GENERAL].map(([name, operator]) => [name, byWords(operator)])),
    ],
    ['date', new Map([['equals', dated((order) => order === 0)]])],
    [
      'matrix',
      new Map([
        ['equals', matrixEquals],
        ['does_not_equal', not(matrixEquals)],
        ['contains', matrixContains],
        ['does_not_contain', not(matrixContains)],
      ]),
    ],
    [
      'repeat',
      new Map([
        ['equals', entries((count, value) => count === value)],
        ['does_not_equal', not(entries((count, value) => count === value))],
        ['greater_than', entries((count, value) => count > value)],
        ['less_than', entries((count, value) => count < value)],
        ['greater_than_or_equal_to', entries((count, value) => count >= value)],
        ['less_than_or_equal_to', entries((count, value) => count <= value)],
      ]),
    ],
    [
      'ranking',
      new Map([
        ['starts_with', ranked((order, part) => order.slice(0, part.length))],
        ['ends_with', ranked((order, part) => order.slice(-part.length))],
      ]),
    ],
  ]),
};

/** Looks at what people read of a rich text, in one line, and not at its markup. */
function byWords(operator: Operator): Operator {
  return (answer, value, context) =>
    operator(typeof answer === 'string' ? wordsIn(answer) : answer, value, context);
}

function numeric(test: (answer: number, value: number) => boolean): Operator {
  return (answer, value) => {
    const [left, right] = [asNumber(answer), asNumber(value)];
    return left !== undefined && right !== undefined && test(left, right);
  };
}

function textual(test: (text: string, part: string) => boolean): Operator {
  return (answer, value) => {
    const text = textOrNumber(answer);
    return text !== '' && value !== undefined && value !== null && test(text, textOrNumber(value));
  };
}

/** Compares the number of characters (code points, not bytes); of a number, its digits; false for an empty answer. */
function contentLength(test: (length: number, value: number) => boolean): Operator {
  return (answer, value) => {
    const text = textOrNumber(answer);
    const length = asNumber(value);
    return text !== '' && length !== undefined && test(countCharacters(text), length);
  };
}

/** Whether the options at certain ranks of an order are those of the condition, which names one or several. */
function ranked(placesOf: (order: JsonValue[], part: JsonValue[]) => JsonValue[]): Operator {
  return (answer, value) => {
    const part = Array.isArray(value) ? value : [value ?? null];
    if (!Array.isArray(answer) || part.length === 0) return false;
    const found = placesOf(answer, part);
    return found.length === part.length && found.every((name, index) => name === part[index]);
  };
}

/** Compares the number of entries; 0 if unanswered. */
function entries(test: (count: number, value: number) => boolean): Operator {
  return (answer, value) => {
    const wanted = asNumber(value);
    return wanted !== undefined && test(Array.isArray(answer) ? answer.length : 0, wanted);
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

/** The date of an answer; for a range, its first day. */
function dateIn(answer: JsonValue | undefined) {
  const date = Array.isArray(answer) ? answer[0] : answer;
  return typeof date === 'string' ? parseDate(date) : null;
}

function rowIs(answer: JsonValue | undefined, row: string, column: JsonValue | undefined): boolean {
  return isJsonObject(answer) && Object.hasOwn(answer, row) && answer[row] === column;
}
