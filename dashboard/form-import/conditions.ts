import { textOf } from '../../fields/as-text/text-of.ts';
import type { Condition, ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { NUMBER_TYPES } from '../../fields/type-names.ts';
import { mentionOf } from '../form-builder/logic/logic-words.ts';
import { checkEngines } from '../form-builder/publishing/check-engines.ts';
import { ALWAYS, any, combined, NEVER, negated, same, type Test } from './boolean-tests.ts';
import { numberOf, tableOf } from './json.ts';
import type { Asked } from './maker.ts';

/** Ways to compare an answer. */
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'starts' | 'ends' | 'matches';

/** Operators for numbers and for dates, and which numbers fit. */
interface BySize {
  number: string;
  date: string;
  fits(one: number, limit: number): boolean;
}

const BY_SIZE = tableOf<BySize>({
  '<': { number: 'less_than', date: 'before', fits: (one, limit) => one < limit },
  '<=': { number: 'less_than_or_equal_to', date: 'on_or_before', fits: (one, limit) => one <= limit },
  '>': { number: 'greater_than', date: 'after', fits: (one, limit) => one > limit },
  '>=': { number: 'greater_than_or_equal_to', date: 'on_or_after', fits: (one, limit) => one >= limit },
});
const BY_DAYS: Readonly<Record<string, readonly [operator: string, days: number]>> = {
  '<=': ['at_least_x_days_ago', 0],
  '<': ['at_least_x_days_ago', 1],
  '>=': ['at_least_x_days_from_now', 0],
  '>': ['at_least_x_days_from_now', 1],
};
const TEXT_OPERATORS = tableOf<string>({
  '=': 'equals',
  contains: 'contains',
  starts: 'starts_with',
  ends: 'ends_with',
  matches: 'matches_regex',
});
const TEXTS = ['text', 'email', 'url', 'phone_number', 'barcode'];
const TRUTHS = /^(true|yes|1|ok|accepted|agreed)$/i;
const UNTRUTHS = /^(false|no|0|)$/i;

export function isAnswered({ block }: Asked): Test {
  return block.type === 'checkbox' ? test(block, 'is_checked', true) : test(block, 'is_not_empty', true);
}

type Value = string | number | boolean;
type Compare = (asked: Asked, how: Comparison, value: Value) => Test | null;

const COMPARE_BY_TYPE = tableOf<Compare>({
  ...Object.fromEntries(TEXTS.map((type) => [type, compareText])),
  ...Object.fromEntries(NUMBER_TYPES.map((type) => [type, compareNumber])),
  date: compareDate,
  select: compareChoice,
  multi_select: compareChoices,
  computed: compareResult,
});

/** A comparison of an answer as a condition, or null if answers of that type cannot be compared in that way. */
export function compare(asked: Asked, how: Comparison, value: Value): Test | null {
  if (how === '!=') return negated(compare(asked, '=', value));
  // An empty value is one of an unticked checkbox, but elsewhere means that there is no answer.
  if (asked.block.type === 'checkbox') return compareTick(asked, how, value);
  if (value === '') return how === '=' ? negated(isAnswered(asked)) : null;
  return COMPARE_BY_TYPE[asked.block.type]?.(asked, how, value) ?? null;
}

function compareTick({ block }: Asked, how: Comparison, value: Value): Test | null {
  if (how !== '=') return null;
  if (TRUTHS.test(String(value))) return test(block, 'is_checked', true);
  return UNTRUTHS.test(String(value)) ? test(block, 'is_not_checked', true) : null;
}

function compareText({ block }: Asked, how: Comparison, value: Value): Test | null {
  const text = String(value);
  const operator = TEXT_OPERATORS[how];
  if (operator === undefined) return null;
  return how !== 'matches' || checkEngines.isValidPattern(text) ? test(block, operator, text) : null;
}

function compareNumber({ block }: Asked, how: Comparison, value: Value): Test | null {
  const operator = how === '=' ? 'equals' : BY_SIZE[how]?.number;
  const number = numberOf(value);
  return operator === undefined || number === undefined ? null : test(block, operator, number);
}

function compareDate({ block }: Asked, how: Comparison, value: Value): Test | null {
  const operator = how === '=' ? 'equals' : BY_SIZE[how]?.date;
  const text = String(value);
  return operator !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? test(block, operator, text) : null;
}

/** A choice is compared by its number, if it has one: the condition becomes "any of the fitting options is chosen". */
function compareChoice({ block, choices }: Asked, how: Comparison, value: Value): Test | null {
  const name = choices.get(String(value));
  if (how === '=') return name === undefined ? null : test(block, 'equals', name);
  const fits = BY_SIZE[how]?.fits;
  const limit = numberOf(value);
  const codes = [...choices].map(([source, option]) => ({ code: numberOf(source), option }));
  if (!fits || limit === undefined || codes.some(({ code }) => code === undefined)) return null;
  const fitting = codes.filter(({ code = 0 }) => fits(code, limit));
  return any(...fitting.map(({ option }) => test(block, 'equals', option)));
}

function compareChoices({ block, choices }: Asked, how: Comparison, value: Value): Test | null {
  const name = choices.get(String(value));
  return how === 'contains' && name !== undefined ? test(block, 'contains', name) : null;
}

/** The result of a calculation is a number or a text. */
function compareResult({ block }: Asked, how: Comparison, value: Value): Test | null {
  const text = String(value);
  const number = numberOf(value);
  if (how === '=') return test(block, 'equals', number ?? text);
  if (how === 'contains') return test(block, 'contains', text);
  const operator = BY_SIZE[how]?.number;
  return operator === undefined || number === undefined ? null : test(block, operator, text);
}

/** Compares the number of entries of repeated questions. */
export function compareEntries({ block }: Asked, how: Comparison, count: number): Test | null {
  const operator = countOperator(how);
  return operator === undefined ? null : test(block, operator, count);
}

/** Compares the length of a text. */
export function compareLength({ block }: Asked, how: Comparison, length: number): Test | null {
  const operator = countOperator(how);
  if (operator === undefined || !TEXTS.includes(block.type)) return null;
  return test(block, `content_length_${operator}`, length);
}

function countOperator(how: Comparison): string | undefined {
  if (how === '=') return 'equals';
  return how === '!=' ? 'does_not_equal' : BY_SIZE[how]?.number;
}

/** Compares with the answer to another question of the same kind. */
export function compareAnswers(asked: Asked, how: Comparison, other: Asked): Test | null {
  if (how === '!=') return negated(compareAnswers(asked, '=', other));
  const { block } = asked;
  const kinds = [NUMBER_TYPES, TEXTS, ['date'], ['computed']];
  const kind = kinds.find((types) => types.includes(block.type));
  if (!kind?.includes(other.block.type)) return null;
  const bySize = kind === TEXTS ? undefined : BY_SIZE[how]?.[block.type === 'date' ? 'date' : 'number'];
  const operator = how === '=' ? 'equals' : bySize;
  return operator === undefined ? null : test(block, operator, mentionOf(other.block.id));
}

/** Compares a date with the day on which it is answered. */
export function compareToday({ block }: Asked, how: Comparison): Test | null {
  const [operator, days] = BY_DAYS[how] ?? [];
  return block.type === 'date' && operator !== undefined && days !== undefined
    ? test(block, operator, days)
    : null;
}

function test({ id, type }: Asked['block'], operator: string, value: JsonValue): Condition {
  return { identifier: id, value: { operator, property_meta: { id, type }, value } };
}

function treeOf(node: Test): ConditionGroup | Condition {
  if ('all' in node) return { operatorIdentifier: 'and', children: node.all.map(treeOf) };
  if ('any' in node) return { operatorIdentifier: 'or', children: node.any.map(treeOf) };
  return node;
}

/** A test as the service takes it. */
export function groupOf(node: Test): ConditionGroup {
  const tree = treeOf(node);
  return 'children' in tree ? tree : { operatorIdentifier: 'and', children: [tree] };
}

/**
 * Shows a block only while the test is true. If it always is, the block stays unchanged; if it never is, the block is hidden.
 * @param note called with the prefill that is left out: elsewhere a question that is not shown has no answer, here it would be
 * stored
 */
export function showOnlyWhen(block: Property, node: Test, note: (text: string) => void): void {
  if (same(node, ALWAYS)) return;
  block.hidden = true;
  const { prefill, prefill_today: today } = block;
  if (prefill !== undefined || today !== undefined)
    note(`What it began with is left out, or it would be stored while it is hidden: ${said(prefill)}`);
  delete block.prefill;
  delete block.prefill_today;
  if (same(node, NEVER)) return;
  block.logic = { conditions: groupOf(node), actions: ['show-block'] };
}

function said(prefill: JsonValue | undefined): string {
  return prefill === undefined ? 'today' : textOf(prefill);
}

export function hideWhen(block: Property, node: Test): void {
  if (same(node, NEVER)) return;
  block.logic = { conditions: groupOf(node), actions: ['hide-block'] };
}

/** Requires an answer while the test is true; returns false if the block has other conditions already. */
export function requireWhen(block: Property, node: Test): boolean {
  if (same(node, NEVER)) return true;
  if (same(node, ALWAYS)) block.required = true;
  else if (block.logic || block.hidden) return false;
  else block.logic = { conditions: groupOf(node), actions: ['require-answer'] };
  return true;
}

/** Accepts only answers for which the test is true; an unanswered question is always accepted. */
export function acceptOnlyWhen(asked: Asked, block: Property, node: Test, message: string): void {
  if (same(node, ALWAYS)) return;
  const conditions = groupOf(any(...noAnswer(asked), node));
  block.validation = {
    error_conditions: { conditions, actions: [] },
    error_message: message || 'This answer does not fit.',
  };
}

function noAnswer(asked: Asked): Test[] {
  const empty = negated(isAnswered(asked));
  return empty === null ? [] : [empty];
}

type Limit = number | string | undefined;

/** A test for the smallest and largest accepted answer; null if answers of that type have no order. */
export function limitTest(asked: Asked, min: Limit, max: Limit): Test | null {
  return between(min, max, (how, limit) => compare(asked, how, limit));
}

/** A test for the length of a text; null for other answers. */
export function lengthTest(asked: Asked, min: number | undefined, max: number | undefined): Test | null {
  return between(min, max, (how, length) => compareLength(asked, how, length));
}

function between<T>(
  min: T | undefined,
  max: T | undefined,
  compareWith: (how: '>=' | '<=', limit: T) => Test | null,
): Test | null {
  return combined('all', [
    min === undefined ? ALWAYS : compareWith('>=', min),
    max === undefined ? ALWAYS : compareWith('<=', max),
  ]);
}

export function limitWords(min: Limit, max: Limit): string {
  const words = [min === undefined ? '' : `at least ${min}`, max === undefined ? '' : `at most ${max}`];
  const said = words.filter(Boolean).join(' and ');
  return said === '' ? '' : `Enter ${said}.`;
}
