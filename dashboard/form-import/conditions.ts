import type { Condition, ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { textOf } from '../../fields/text-of.ts';
import { NUMBER_TYPES } from '../../fields/type-names.ts';
import { checkEngines } from '../form-builder/check-engines.ts';
import { mentionOf } from '../form-builder/logic-words.ts';
import { ALWAYS, any, combined, NEVER, negated, same, type Test } from './boolean-tests.ts';
import { numberOf } from './json.ts';
import type { Asked } from './maker.ts';

/** Ways to compare an answer. */
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'starts' | 'ends' | 'matches';

const BY_SIZE: Readonly<Record<string, readonly [number: string, date: string]>> = {
  '<': ['less_than', 'before'],
  '<=': ['less_than_or_equal_to', 'on_or_before'],
  '>': ['greater_than', 'after'],
  '>=': ['greater_than_or_equal_to', 'on_or_after'],
};
const BY_DAYS: Readonly<Record<string, readonly [operator: string, days: number]>> = {
  '<=': ['at_least_x_days_ago', 0],
  '<': ['at_least_x_days_ago', 1],
  '>=': ['at_least_x_days_from_now', 0],
  '>': ['at_least_x_days_from_now', 1],
};
const TEXTS = ['text', 'email', 'url', 'phone_number', 'barcode'];
const TRUTHS = /^(true|yes|1|ok|accepted|agreed)$/i;
const UNTRUTHS = /^(false|no|0|)$/i;

export function isAnswered({ block }: Asked): Test {
  return block.type === 'checkbox' ? test(block, 'is_checked', true) : test(block, 'is_not_empty', true);
}

/** A comparison of an answer as a condition, or null if answers of that type cannot be compared in that way. */
export function compare(asked: Asked, how: Comparison, value: string | number | boolean): Test | null {
  const { block, choices } = asked;
  const text = String(value);
  if (how === '!=') return negated(compare(asked, '=', value));
  if (block.type === 'checkbox') {
    if (how !== '=') return null;
    if (TRUTHS.test(text)) return test(block, 'is_checked', true);
    return UNTRUTHS.test(text) ? test(block, 'is_not_checked', true) : null;
  }
  if (text === '') return how === '=' ? negated(isAnswered(asked)) : null;
  if (block.type === 'select') {
    if (BY_SIZE[how]) return compareCodes(asked, how, numberOf(value));
    const name = choices.get(text);
    return how === '=' && name !== undefined ? test(block, 'equals', name) : null;
  }
  if (block.type === 'multi_select') {
    const name = choices.get(text);
    return how === 'contains' && name !== undefined ? test(block, 'contains', name) : null;
  }
  const sized = BY_SIZE[how];
  if (block.type === 'date') {
    const operator = how === '=' ? 'equals' : sized?.[1];
    return operator !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? test(block, operator, text) : null;
  }
  if (NUMBER_TYPES.includes(block.type)) {
    const number = numberOf(value);
    const operator = how === '=' ? 'equals' : sized?.[0];
    return operator !== undefined && number !== undefined ? test(block, operator, number) : null;
  }
  return compareText(block, how, value, sized?.[0]);
}

/** Choices with numeric codes are compared by these: the condition becomes "any of the fitting options is chosen". */
function compareCodes({ block, choices }: Asked, how: Comparison, wanted: number | undefined): Test | null {
  const codes = [...choices].map(([source, name]) => ({ code: numberOf(source), name }));
  if (wanted === undefined || codes.some(({ code }) => code === undefined)) return null;
  const fitting = codes.filter(({ code = 0 }) => {
    if (how === '<') return code < wanted;
    if (how === '<=') return code <= wanted;
    return how === '>' ? code > wanted : code >= wanted;
  });
  return any(...fitting.map(({ name }) => test(block, 'equals', name)));
}

function compareText(
  block: Asked['block'],
  how: Comparison,
  value: string | number | boolean,
  sized: string | undefined,
): Test | null {
  const isComputed = block.type === 'computed';
  const text = String(value);
  if (!isComputed && !TEXTS.includes(block.type)) return null;
  if (how === '=') return test(block, 'equals', isComputed ? (numberOf(value) ?? text) : text);
  if (how === 'contains') return test(block, 'contains', text);
  if (isComputed)
    return sized !== undefined && numberOf(value) !== undefined ? test(block, sized, text) : null;
  if (how === 'starts') return test(block, 'starts_with', text);
  if (how === 'ends') return test(block, 'ends_with', text);
  return how === 'matches' && checkEngines.isValidPattern(text) ? test(block, 'matches_regex', text) : null;
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
  return how === '!=' ? 'does_not_equal' : BY_SIZE[how]?.[0];
}

/** Compares with the answer to another question of the same kind. */
export function compareAnswers(asked: Asked, how: Comparison, other: Asked): Test | null {
  if (how === '!=') return negated(compareAnswers(asked, '=', other));
  const { block } = asked;
  const kinds = [NUMBER_TYPES, TEXTS, ['date'], ['computed']];
  const kind = kinds.find((types) => types.includes(block.type));
  if (!kind?.includes(other.block.type)) return null;
  const sized = BY_SIZE[how];
  const isDate = block.type === 'date';
  const operator = how === '=' ? 'equals' : kind === TEXTS ? undefined : sized?.[isDate ? 1 : 0];
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

function groupOf(node: Test): ConditionGroup {
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
  return combined('all', [
    min === undefined ? ALWAYS : compare(asked, '>=', min),
    max === undefined ? ALWAYS : compare(asked, '<=', max),
  ]);
}

export function limitWords(min: Limit, max: Limit): string {
  const words = [min === undefined ? '' : `at least ${min}`, max === undefined ? '' : `at most ${max}`];
  const said = words.filter(Boolean).join(' and ');
  return said === '' ? '' : `Enter ${said}.`;
}
