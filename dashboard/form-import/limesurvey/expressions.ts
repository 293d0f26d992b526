import type { Condition, JsonValue, Property } from '../../../fields/property.ts';
import { ALWAYS, all, any, NEVER, type Test } from '../boolean-tests.ts';
import { testOf } from '../expression-conditions.ts';
import { type Expression, parseExpression, SELF } from '../expressions.ts';
import { tableOf } from '../json.ts';
import type { Asked, Maker } from '../maker.ts';

/** The row of a matrix or the option of a list, which is a question of its own in expressions. */
interface Part {
  block: Property;
  /** The conditions that a choice is made here: an option, or columns of the row by name. */
  chosen: ReadonlyMap<string, JsonValue>;
  asked: Asked;
}

export type LimeNames = ReturnType<typeof limeNames>;

/** Endings that do not change what a name stands for. */
const VALUES = new Set(['', 'NAOK', 'value', 'valueNAOK', 'code']);
/** Functions with another name in other products. */
const CALLS = tableOf<string>({ is_empty: 'empty', strlen: 'string-length', floatval: 'number' });
/** Operators that are true for an unanswered question. */
const TRUE_IF_EMPTY = new Set(['is_empty', 'does_not_equal', 'does_not_contain']);

/**
 * The names in a survey's expressions.
 * @param codes codes of questions by their numbers, because expressions may use these
 */
export function limeNames(maker: Maker, codes: ReadonlyMap<string, string>) {
  const parts = new Map<string, Part>();

  /** `Q2_SQ001` for `12X3X45SQ001`, where the question 45 has the code Q2. */
  function codeOf(name: string): string {
    const [, digits = '', rest = ''] = /^\d+X\d+X(\d+)(\w*)$/i.exec(name) ?? [];
    // Codes may begin with digits, so that the number of the question is a part of them.
    for (let length = digits.length; length > 0; length -= 1) {
      const code = codes.get(digits.slice(0, length));
      const part = digits.slice(length) + rest;
      if (code !== undefined) return part === '' ? code : `${code}_${part}`;
    }
    return name;
  }

  function split(name: string): [code: string, ending: string] {
    const [first = '', ending = ''] = name.split('.');
    return [codeOf(first), ending];
  }

  function find(name: string, self?: Asked): Asked | undefined {
    if (name === 'this' || name === 'self' || name === SELF) return self;
    const [code, ending] = split(name);
    return VALUES.has(ending) ? (parts.get(code)?.asked ?? maker.find(code)) : undefined;
  }

  function isSeveral(name: string): boolean {
    return find(name)?.block.type === 'multi_select';
  }

  return {
    codeOf,
    find,

    /** What formulas can refer to: whole questions. */
    findWhole(name: string): Asked | undefined {
      const [code, ending] = split(name);
      return VALUES.has(ending) && !parts.has(code) ? maker.find(code) : undefined;
    },

    /** An option of several: it is answered by `Y`, in tables by 1. */
    addOption(name: string, block: Property, option: string): void {
      addPart(name, block, new Map(['Y', '1'].map((code) => [code, option])), new Map([[option, option]]));
    },

    /** A row of a matrix. */
    addRow(name: string, block: Property, row: string, columns: ReadonlyMap<string, string>): void {
      addPart(
        name,
        block,
        columns,
        new Map([...columns.values()].map((column) => [column, { [row]: column }])),
      );
    },

    /**
     * An expression as a condition; null if none has the same meaning.
     * @param shownWhen when a question is asked, by its code: otherwise an expression with its name is not true
     */
    testOf(text: string, shownWhen: ReadonlyMap<string, Test>, self?: Asked): Test | null {
      if (/^\s*1?\s*$/.test(text)) return ALWAYS;
      if (/^\s*0\s*$/.test(text)) return NEVER;
      const expression = parseExpression(text, 'limesurvey');
      const test = expression && testOf(renamed(expression, isSeveral), (name) => find(name, self));
      if (test === null) return null;
      const real = withoutParts(test);
      const needed = namesIn(expression as Expression).flatMap((name) => {
        const [code, ending] = split(name);
        const block = find(name, self)?.block;
        const isChecked = ending !== 'NAOK' && ending !== 'valueNAOK' && block !== undefined;
        const shown = shownWhen.get(code) ?? shownWhen.get(code.replace(/_.*$/, ''));
        return isChecked && shown && leavesOf(test).some((leaf) => isTrueIfEmpty(leaf, block.id))
          ? [shown]
          : [];
      });
      return all(real, ...needed);
    },
  };

  function addPart(
    name: string,
    block: Property,
    choices: ReadonlyMap<string, string>,
    chosen: ReadonlyMap<string, JsonValue>,
  ): void {
    const asked: Asked = { block: { id: `part ${name}`, type: 'select', name: block.name }, choices };
    parts.set(name, { block, chosen, asked });
  }

  function withoutParts(node: Test): Test {
    if ('all' in node) return all(...node.all.map(withoutParts));
    if ('any' in node) return any(...node.any.map(withoutParts));
    const part = parts.get(node.identifier.replace(/^part /, ''));
    return part && node.identifier.startsWith('part ') ? testOfPart(node, part) : node;
  }
}

function testOfPart({ value: { operator, value } }: Condition, { block, chosen }: Part): Test {
  const test = (name: string, how: JsonValue): Condition => ({
    identifier: block.id,
    value: { operator: name, property_meta: { id: block.id, type: block.type }, value: how },
  });
  const choices = [...chosen.values()];
  if (operator === 'is_not_empty') return any(...choices.map((one) => test('contains', one)));
  if (operator === 'is_empty') return all(...choices.map((one) => test('does_not_contain', one)));
  const choice = chosen.get(String(value)) ?? null;
  return test(operator === 'equals' ? 'contains' : 'does_not_contain', choice);
}

/**
 * An expression in the words of other products.
 * @param isSeveral whether a name stands for a list of options: older versions compare it with one of them
 */
function renamed(node: Expression, isSeveral: (name: string) => boolean): Expression {
  switch (node.kind) {
    case 'call': {
      // How many of the options are chosen, as a truth.
      if (node.name === 'count' && node.inputs.length === 1) return answered('notempty', node);
      const inputs = node.inputs.map((input) => renamed(input, isSeveral));
      return { kind: 'call', name: CALLS[node.name] ?? node.name, inputs };
    }
    case 'operation': {
      const { operator, left, right } = node;
      const isEqual = operator === '=' || operator === '!=';
      if (
        isEqual &&
        left.kind === 'answer' &&
        right.kind === 'value' &&
        right.value !== '' &&
        isSeveral(left.name)
      ) {
        const chosen: Expression = { kind: 'call', name: 'selected', inputs: [left, right] };
        return operator === '=' ? chosen : { kind: 'call', name: 'not', inputs: [chosen] };
      }
      return counted(node) ?? { ...node, left: renamed(left, isSeveral), right: renamed(right, isSeveral) };
    }
    default:
      return node;
  }
}

/** `count(that.Q1) > 0`, the only comparison of such a number that exists here. */
function counted({ operator, left, right }: Expression & { kind: 'operation' }): Expression | null {
  if (left.kind !== 'call' || left.name !== 'count' || left.inputs.length !== 1 || right.kind !== 'value')
    return null;
  const sign = `${operator}${right.value}`;
  if (sign === '>0' || sign === '>=1' || sign === '!=0') return answered('notempty', left);
  return sign === '=0' || sign === '<1' ? answered('empty', left) : null;
}

/** `that.Q1` stands for all parts of the question. */
function answered(name: 'empty' | 'notempty', { inputs }: Expression & { kind: 'call' }): Expression {
  const whole = (input: Expression): Expression =>
    input.kind === 'answer' ? { kind: 'answer', name: input.name.replace(/^that\./, '') } : input;
  return { kind: 'call', name, inputs: inputs.map(whole) };
}

function namesIn(node: Expression): string[] {
  if (node.kind === 'answer') return [node.name];
  if (node.kind === 'call') return node.inputs.flatMap(namesIn);
  return node.kind === 'operation' ? [...namesIn(node.left), ...namesIn(node.right)] : [];
}

function leavesOf(node: Test): Condition[] {
  if ('all' in node) return node.all.flatMap(leavesOf);
  return 'any' in node ? node.any.flatMap(leavesOf) : [node];
}

function isTrueIfEmpty({ identifier, value }: Condition, id: string): boolean {
  return identifier === id && TRUE_IF_EMPTY.has(value.operator);
}
