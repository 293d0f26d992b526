import type { Condition } from '../../fields/property.ts';
import { tableOf } from './json.ts';

/** A test of answers. `all: []` is always true, `any: []` never. */
export type Test = { all: readonly Test[] } | { any: readonly Test[] } | Condition;

export const ALWAYS: Test = { all: [] };
export const NEVER: Test = { any: [] };

const OPPOSITES = bothWays([
  ['equals', 'does_not_equal'],
  ['contains', 'does_not_contain'],
  ['is_empty', 'is_not_empty'],
  ['is_checked', 'is_not_checked'],
  ['matches_regex', 'does_not_match_regex'],
]);
/** Pairs that are both false for an unanswered question. */
const OPPOSITES_OF_ANSWERS = bothWays([
  ['less_than', 'greater_than_or_equal_to'],
  ['greater_than', 'less_than_or_equal_to'],
  ['before', 'on_or_after'],
  ['after', 'on_or_before'],
]);

function bothWays(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return tableOf(
    Object.fromEntries(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const])),
  );
}

/** True exactly when the given test is false; null if it cannot be negated. */
export function negated(node: Test | null): Test | null {
  if (node === null) return null;
  if ('all' in node) return combined('any', node.all.map(negated));
  if ('any' in node) return combined('all', node.any.map(negated));
  const { operator } = node.value;
  const having = (changed: Partial<Condition['value']>): Condition => ({
    ...node,
    value: { ...node.value, ...changed },
  });
  const opposite = OPPOSITES[operator];
  if (opposite !== undefined) return having({ operator: opposite });
  const ofAnswers = OPPOSITES_OF_ANSWERS[operator];
  if (ofAnswers === undefined) return null;
  return any(having({ operator: ofAnswers }), having({ operator: 'is_empty', value: true }));
}

export function all(...nodes: readonly Test[]): Test {
  return simplest('all', nodes);
}

export function any(...nodes: readonly Test[]): Test {
  return simplest('any', nodes);
}

/** Null if one of the tests is. */
export function combined(how: 'all' | 'any', nodes: readonly (Test | null)[]): Test | null {
  const known = nodes.filter((node) => node !== null);
  return known.length < nodes.length ? null : simplest(how, known);
}

function simplest(how: 'all' | 'any', nodes: readonly Test[]): Test {
  const flat = nodes.flatMap((node) => membersOf(node, how) ?? [node]);
  const decided = how === 'all' ? NEVER : ALWAYS;
  if (flat.some((node) => same(node, decided))) return decided;
  const shorter = how === 'all' ? flat : flat.map((node) => withoutRedundant(node, flat));
  const distinct = shorter
    .filter((node, index) => shorter.findIndex((other) => same(other, node)) === index)
    .filter((node, _index, others) => !others.some((other) => isImplied(node, other, how)));
  const [only] = distinct;
  if (distinct.length === 1 && only) return only;
  return how === 'all' ? { all: distinct } : { any: distinct };
}

function membersOf(node: Test, how: 'all' | 'any'): readonly Test[] | null {
  if (how === 'all') return 'all' in node ? node.all : null;
  return 'any' in node ? node.any : null;
}

export function same(one: Test, other: Test): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The number of comparisons in a test. */
export function sizeOf(node: Test): number {
  if ('all' in node) return node.all.reduce((sum, one) => sum + sizeOf(one), 0);
  if ('any' in node) return node.any.reduce((sum, one) => sum + sizeOf(one), 0);
  return 1;
}

/** Drops `not a` from `a or (not a and b)`, where it is redundant. */
function withoutRedundant(node: Test, beside: readonly Test[]): Test {
  if (!('all' in node)) return node;
  const opposites = beside.filter((other) => other !== node).map(negated);
  return all(...node.all.filter((part) => !opposites.some((opposite) => opposite && same(opposite, part))));
}

/** Whether a comparison is redundant: `Topic is not A` beside `Topic is B` if both must be true, the latter if one is enough. */
function isImplied(node: Test, other: Test, how: 'all' | 'any'): boolean {
  const [is, isNot] = how === 'all' ? [other, node] : [node, other];
  if (!('value' in is && 'value' in isNot) || is.identifier !== isNot.identifier) return false;
  return (
    is.value.property_meta.type === 'select' &&
    is.value.operator === 'equals' &&
    isNot.value.operator === 'does_not_equal' &&
    !same(is, { ...isNot, value: { ...isNot.value, operator: 'equals' } })
  );
}
