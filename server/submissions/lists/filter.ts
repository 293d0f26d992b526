import { parseDate } from '../../../fields/as-text/dates.ts';
import { addError, type ErrorBag, type Property } from '../../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock, NUMBER_TYPES } from '../../../fields/type-names.ts';
import { readMoment } from '../../http/schemas/moments.ts';

/** How SQL has to treat the answers of a field. */
export type AnswerKind =
  | 'number'
  | 'date'
  | 'flag'
  | 'list'
  | 'ranking'
  | 'matrix'
  | 'entries'
  | 'text'
  | 'rich_text';

/** A comparison of one field's answer. The operators are those of conditions that make sense in lists. */
export interface FieldFilter {
  id: string;
  kind: AnswerKind;
  operator: string;
  /** `''` for operators that compare with nothing; for dates the day in UTC, `YYYY-MM-DD`. */
  value: string;
}

/** Comparisons per query. */
export const MAX_FILTERS = 20;
export const MAX_VALUE = 1_000; // characters
/** `filter[<field id>]`, `filter[<field id>][<operator>]`; an id may hold brackets of its own. */
const FILTER_KEY = /^filter\[(.+?)\](?:\[([a-z_]+)\])?$/;
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;
const DAY_MS = 86_400_000;

const EMPTINESS = ['is_empty', 'is_not_empty'];
export const COMPARISONS: Readonly<Record<string, '>' | '<' | '>=' | '<='>> = {
  greater_than: '>',
  less_than: '<',
  greater_than_or_equal_to: '>=',
  less_than_or_equal_to: '<=',
  after: '>',
  before: '<',
  on_or_after: '>=',
  on_or_before: '<=',
};
/** These hold exactly where their opposite does not, so also where there is no answer. */
export const NEGATIONS: Readonly<Record<string, string>> = {
  does_not_equal: 'equals',
  does_not_contain: 'contains',
};
const EQUALITY = ['equals', 'does_not_equal'];
const CONTAINMENT = ['contains', 'does_not_contain'];
/** Operators that compare with a number. */
const SIZES = ['greater_than', 'less_than', 'greater_than_or_equal_to', 'less_than_or_equal_to'];
const OPERATORS: Readonly<Record<AnswerKind, readonly string[]>> = {
  number: [...EQUALITY, ...SIZES, ...EMPTINESS],
  date: [...EQUALITY, 'after', 'before', 'on_or_after', 'on_or_before', ...EMPTINESS],
  flag: [...EQUALITY, ...EMPTINESS],
  list: [...EQUALITY, ...CONTAINMENT, ...EMPTINESS],
  ranking: ['starts_with', 'ends_with', ...EQUALITY, ...EMPTINESS],
  matrix: [...EQUALITY, ...CONTAINMENT, ...EMPTINESS],
  entries: [...EQUALITY, ...SIZES, ...CONTAINMENT, ...EMPTINESS],
  text: [...EQUALITY, ...CONTAINMENT, ...EMPTINESS],
  rich_text: [...EQUALITY, ...CONTAINMENT, ...EMPTINESS],
};

/** @returns null for an id that no field of the form has or had */
export function answerKind(fields: readonly Property[], id: string): AnswerKind | null {
  const field = fields.find((property) => property.id === id && !isLayoutBlock(property.type));
  return field ? kindOf(canonicalTypeName(field.type)) : null;
}

function kindOf(typeName: string): AnswerKind {
  if (NUMBER_TYPES.includes(typeName)) return 'number';
  if (typeName === 'date') return 'date';
  if (typeName === 'checkbox') return 'flag';
  if (typeName === 'repeat') return 'entries';
  if (typeName === 'multi_select' || typeName === 'files') return 'list';
  if (typeName === 'rich_text') return typeName;
  return typeName === 'matrix' || typeName === 'ranking' ? typeName : 'text';
}

/** Whether a query compares answers. */
export function hasFieldFilters(query: object): boolean {
  return Object.keys(query).some((key) => key.startsWith('filter['));
}

/** The comparisons of a query, as `filter[<field id>][<operator>]=value`; every problem goes to `errors`. */
export function readFieldFilters(
  query: object,
  fields: readonly Property[],
  errors: ErrorBag,
): FieldFilter[] {
  const found = Object.entries(query).filter(([key]) => key.startsWith('filter['));
  const filters = found.flatMap(([key, values]) =>
    [values].flat().flatMap((value) => {
      const filter = readFieldFilter(key, String(value), fields);
      if (typeof filter !== 'string') return [filter];
      addError(errors, key.slice(0, MAX_VALUE), filter);
      return [];
    }),
  );
  if (filters.length > MAX_FILTERS)
    addError(errors, 'filter', `The filter may not have more than ${MAX_FILTERS} items.`);
  return filters;
}

/** @returns a message when the filter is wrong */
function readFieldFilter(key: string, value: string, fields: readonly Property[]): FieldFilter | string {
  const [, id = '', operator = 'equals'] = FILTER_KEY.exec(key) ?? [];
  const kind = answerKind(fields, id);
  if (kind === null) return 'The form has no such field.';
  const operators = OPERATORS[kind];
  if (!operators.includes(operator)) return `This field can be asked for ${operators.join(', ')}.`;
  if (EMPTINESS.includes(operator)) return { id, kind, operator, value: '' };
  if (value === '') return 'The value is required.';
  if (value.length > MAX_VALUE) return `The value may not be greater than ${MAX_VALUE} characters.`;
  if (value.includes('\0') || !value.isWellFormed()) return 'The value cannot be in an answer.';
  const isCount = kind === 'entries' && !CONTAINMENT.includes(operator);
  if ((kind === 'number' || isCount) && !NUMBER.test(value)) return 'The value must be a number.';
  if (kind === 'date' && parseDate(value)?.hasTime !== false)
    return 'The value must be a day, such as 2026-01-31: dates are compared by the day in UTC.';
  if (kind === 'flag' && value !== 'true' && value !== 'false') return 'The value must be true or false.';
  return { id, kind, operator, value };
}

/** The span from `from` to `to`. Days without a time count whole: `from` is the beginning of its day, `to` the end (UTC). */
export function readSpan(
  { from, to }: { from?: string; to?: string },
  errors: ErrorBag,
): { from: Date | null; until: Date | null } {
  const read = (key: string, text: string | undefined) => {
    const moment = text === undefined ? null : readMoment(text);
    if (text !== undefined && !moment) addError(errors, key, `The ${key} is not a valid date.`);
    return moment;
  };
  const [start, end] = [read('from', from), read('to', to)];
  const isWholeDay = to !== undefined && parseDate(to)?.hasTime === false;
  return { from: start, until: end && isWholeDay ? new Date(end.getTime() + DAY_MS) : end };
}
