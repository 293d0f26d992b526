import { parseFormula } from '../../fields/formulas/parse.ts';
import type { Find } from './expression-conditions.ts';
import type { Expression } from './expressions.ts';
import { numberOf, tableOf } from './json.ts';
import type { Asked } from './maker.ts';

const between = (sign: string) => (one: string, other: string) => `(${one} ${sign} ${other})`;
const before = (name: string) => (one: string, other: string) => `${name}(${one}, ${other})`;
const OPERATIONS = tableOf<(one: string, other: string) => string>({
  '+': between('+'),
  '-': between('-'),
  '*': between('*'),
  '/': between('/'),
  '=': between('='),
  '!=': between('<>'),
  '<': between('<'),
  '<=': between('<='),
  '>': between('>'),
  '>=': between('>='),
  and: before('AND'),
  or: before('OR'),
  mod: before('MOD'),
});
/** Functions with another name here. */
const FUNCTIONS = tableOf<string>({
  if: 'IF',
  iif: 'IF',
  coalesce: 'COALESCE',
  concat: 'CONCAT',
  round: 'ROUND',
  abs: 'ABS',
  pow: 'POWER',
  sqrt: 'SQRT',
  min: 'MIN',
  max: 'MAX',
  sum: 'SUM',
  avg: 'AVERAGE',
  'string-length': 'LEN',
  strlen: 'LEN',
  floor: 'FLOOR',
  ceil: 'CEIL',
  is_empty: 'ISBLANK',
  not: 'NOT',
});
const WRAPPERS = ['number', 'string', 'once', 'floatval'];
const NUMERIC = ['+', '-', '*', '/', 'mod'];
const EQUALITY = ['=', '!='];

type Operation = Extract<Expression, { kind: 'operation' }>;

/** An expression as a formula; null if none has the same meaning. */
export function formulaOf(expression: Expression, find: Find): string | null {
  const formula = written(expression, find);
  if (formula === null) return null;
  try {
    parseFormula(formula);
    return formula;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function written(node: Expression, find: Find): string | null {
  switch (node.kind) {
    case 'value':
      return literal(node.value);
    case 'answer':
      return answer(find(node.name));
    case 'list':
      return null;
    case 'call':
      return called(node.name, node.inputs, find);
    case 'operation':
      return operation(node, find);
  }
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;
}

/** The value of an answer in the other product, where choices have other names. */
function answer(asked: Asked | undefined): string | null {
  if (!asked) return null;
  const field = `{${asked.block.id}}`;
  const choices = [...asked.choices];
  if (choices.every(([source, name]) => source === name)) return field;
  if (asked.block.type !== 'select') return null;
  const cases = choices.map(([source, name]) => `${literal(name)}, ${literal(numberOf(source) ?? source)}`);
  return `SWITCH(${field}, ${cases.join(', ')}, "")`;
}

function called(name: string, inputs: readonly Expression[], find: Find): string | null {
  const [first, second] = inputs;
  if (name === 'selected' && first?.kind === 'answer' && second?.kind === 'value')
    return chosen(find(first.name), String(second.value));
  if (WRAPPERS.includes(name) && first && inputs.length === 1) return written(first, find);
  const ours = FUNCTIONS[name];
  const parts = inputs.map((input) => written(input, find));
  return ours === undefined || parts.includes(null) ? null : `${ours}(${parts.join(', ')})`;
}

function chosen(asked: Asked | undefined, value: string): string | null {
  const name = asked?.choices.get(value);
  if (!asked || name === undefined) return null;
  const field = `{${asked.block.id}}`;
  return asked.block.type === 'multi_select'
    ? `CONTAINS(${field}, ${literal(name)})`
    : `${field} = ${literal(name)}`;
}

function operation(node: Operation, find: Find): string | null {
  const { operator, left, right } = node;
  if (NUMERIC.includes(operator) && (isWords(left) || isWords(right))) return null;
  const choice = EQUALITY.includes(operator) && left.kind === 'answer' ? find(left.name) : undefined;
  if (choice && choice.choices.size > 0 && right.kind === 'value')
    return choiceComparison(choice, operator, String(right.value));
  const [one, other] = [written(left, find), written(right, find)];
  return one === null || other === null ? null : (OPERATIONS[operator]?.(one, other) ?? null);
}

function isWords(node: Expression): boolean {
  return node.kind === 'value' && typeof node.value === 'string';
}

function choiceComparison(asked: Asked, operator: string, value: string): string | null {
  const isChosen = asked.block.type === 'multi_select' ? null : chosen(asked, value);
  if (isChosen === null) return null;
  return operator === '=' ? `(${isChosen})` : `NOT(${isChosen})`;
}
