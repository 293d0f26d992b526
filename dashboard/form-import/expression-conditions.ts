import { ALWAYS, combined, NEVER, negated, type Test } from './boolean-tests.ts';
import {
  type Comparison,
  compare,
  compareAnswers,
  compareEntries,
  compareLength,
  compareToday,
  isAnswered,
} from './conditions.ts';
import type { Expression } from './expressions.ts';
import { tableOf } from './json.ts';
import type { Asked } from './maker.ts';

/** Finds a question by its name. */
export type Find = (name: string) => Asked | undefined;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  contains: 'contains',
};
/** The comparison with its sides exchanged. */
const TURNED: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
/** Functions that do not change what is compared. */
const WRAPPERS = ['string', 'number', 'boolean', 'normalize-space', 'once'];
/** Functions for the length of a text. */
const LENGTHS = ['string-length', 'length'];
const TEXT_CALLS = tableOf<Comparison>({
  contains: 'contains',
  'starts-with': 'starts',
  'ends-with': 'ends',
});

/** An expression as a condition; null if none has the same meaning. */
export function testOf(expression: Expression, find: Find): Test | null {
  const node = unwrapped(expression);
  switch (node.kind) {
    case 'value':
      return node.value === true ? ALWAYS : node.value === false ? NEVER : null;
    case 'answer':
      return isTrue(find(node.name));
    case 'list':
      return null;
    case 'call':
      return testOfCall(node.name, node.inputs, find);
    case 'operation':
      return testOfOperation(node.operator, unwrapped(node.left), unwrapped(node.right), find);
  }
}

function unwrapped(node: Expression): Expression {
  const [inner] = node.kind === 'call' ? node.inputs : [];
  if (node.kind !== 'call' || !inner || node.inputs.length !== 1 || !WRAPPERS.includes(node.name))
    return node;
  return unwrapped(inner);
}

/** A question with "yes" among its choices is true if that is chosen. */
function isTrue(asked: Asked | undefined): Test | null {
  if (!asked) return null;
  return asked.choices.has('true') ? compare(asked, '=', 'true') : isAnswered(asked);
}

function testOfCall(name: string, inputs: readonly Expression[], find: Find): Test | null {
  const [first, second] = inputs.map(unwrapped);
  if (name === 'not' && first) return negated(testOf(first, find));
  const asked = askedIn(first, find);
  if (!asked) return null;
  if (name === 'empty') return negated(isAnswered(asked));
  if (name === 'notempty') return isAnswered(asked);
  if (second?.kind !== 'value') return null;
  const { value } = second;
  if (name === 'selected') return isChosen(asked, value);
  if (name === 'regex') return compare(asked, 'matches', `^(?:${value})$`);
  const how = TEXT_CALLS[name];
  return how === undefined ? null : compare(asked, how, value);
}

function isChosen(asked: Asked, value: string | number | boolean): Test | null {
  return compare(asked, asked.block.type === 'multi_select' ? 'contains' : '=', value);
}

function testOfOperation(operator: string, left: Expression, right: Expression, find: Find): Test | null {
  if (operator === 'and' || operator === 'or')
    return combined(operator === 'and' ? 'all' : 'any', [testOf(left, find), testOf(right, find)]);
  if (operator === 'notcontains') return negated(testOfOperation('contains', left, right, find));
  if (operator === 'noneof') return negated(testOfOperation('anyof', left, right, find));
  if (operator === 'anyof' || operator === 'allof') return testOfList(operator, left, right, find);
  const how = COMPARISONS[operator];
  if (how === undefined) return null;
  if (left.kind === 'value' && right.kind !== 'value') {
    const turned = TURNED[operator];
    return turned === undefined ? null : comparison(right, turned, left, find);
  }
  return comparison(left, how, right, find);
}

/** The repeated questions whose entries are counted by `count(${children})` or `{children.length}`. */
function countedIn(node: Expression, find: Find): Asked | undefined {
  const [inner] = node.kind === 'call' && node.name === 'count' ? node.inputs.map(unwrapped) : [node];
  if (inner?.kind !== 'answer') return undefined;
  const name = node.kind === 'call' ? inner.name : /^(.+)\.length$/.exec(inner.name)?.[1];
  const asked = name === undefined ? undefined : find(name);
  return asked?.block.type === 'repeat' ? asked : undefined;
}

/** The text whose length is `string-length(${name})`. */
function measuredIn(node: Expression, find: Find): Asked | undefined {
  if (node.kind !== 'call' || !LENGTHS.includes(node.name)) return undefined;
  return askedIn(node.inputs.map(unwrapped)[0], find);
}

function askedIn(node: Expression | undefined, find: Find): Asked | undefined {
  return node?.kind === 'answer' ? find(node.name) : undefined;
}

function testOfList(operator: string, left: Expression, right: Expression, find: Find): Test | null {
  const asked = askedIn(left, find);
  if (!asked || right.kind !== 'list') return null;
  return areChosen(asked, operator === 'anyof' ? 'any' : 'all', right.items);
}

function areChosen(asked: Asked, how: 'all' | 'any', items: readonly Expression[]): Test | null {
  const tests = items.map((item) => (item.kind === 'value' ? isChosen(asked, item.value) : null));
  return combined(how, tests);
}

function comparison(left: Expression, how: Comparison, right: Expression, find: Find): Test | null {
  const number = right.kind === 'value' && typeof right.value === 'number' ? right.value : null;
  const counted = countedIn(left, find);
  if (counted) return number === null ? null : compareEntries(counted, how, number);
  const measured = measuredIn(left, find);
  if (measured) return number === null ? null : compareLength(measured, how, number);
  const asked = askedIn(left, find);
  return asked ? comparisonWith(asked, how, right, find) : null;
}

function comparisonWith(asked: Asked, how: Comparison, right: Expression, find: Find): Test | null {
  switch (right.kind) {
    case 'value':
      return compare(asked, how, right.value);
    case 'answer': {
      const other = find(right.name);
      return other ? compareAnswers(asked, how, other) : null;
    }
    case 'list':
      return how === 'contains' ? areChosen(asked, 'all', right.items) : null;
    case 'call':
      return right.name === 'today' ? compareToday(asked, how) : null;
    case 'operation':
      return null;
  }
}
