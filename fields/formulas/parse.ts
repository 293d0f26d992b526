import { parseNumber } from '../as-text/numbers.ts';
import { type FormulaFunction, FUNCTIONS } from './functions.ts';
import { compare, finite, numberOf, type Value } from './values.ts';

/** What evaluating a formula needs. */
export interface Work {
  /** Value of a field or a variable. */
  value(id: string): Value;
  /**
   * Counts one step.
   * @throws FormulaError after too many
   */
  step(): void;
  /**
   * Counts the steps for looking through a value.
   * @throws FormulaError after too many
   */
  look(through: Value): void;
}

/**
 * A parsed formula.
 * @throws FormulaError if it has no value
 */
type Formula = (work: Work) => Value;

/** A formula with the fields and variables it names. */
export interface ParsedFormula {
  evaluate: Formula;
  references: ReadonlySet<string>;
}

/** Deepest nesting of parentheses and signs. */
const MAX_DEPTH = 50;
const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?|\.\d+)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|\{([^{}]*)\}|([A-Za-z]+)|(<>|<=|>=|[-+*/=<>(),]))/y;

/** A token of a formula. */
export type Token = { kind: 'number' | 'text' | 'field' | 'word' | 'mark'; text: string };

type Arithmetic = (left: Value, right: Value) => Value;
/** Lowest precedence first. */
const OPERATORS: readonly ReadonlyMap<string, Arithmetic>[] = [
  new Map<string, Arithmetic>([
    ['=', (left, right) => compare(left, right) === 0],
    ['<>', (left, right) => compare(left, right) !== 0],
    ['<', (left, right) => compare(left, right) < 0],
    ['>', (left, right) => compare(left, right) > 0],
    ['<=', (left, right) => compare(left, right) <= 0],
    ['>=', (left, right) => compare(left, right) >= 0],
  ]),
  new Map<string, Arithmetic>([
    ['+', (left, right) => finite(numberOf(left) + numberOf(right))],
    ['-', (left, right) => finite(numberOf(left) - numberOf(right))],
  ]),
  new Map<string, Arithmetic>([
    ['*', (left, right) => finite(numberOf(left) * numberOf(right))],
    ['/', (left, right) => finite(numberOf(left) / numberOf(right))],
  ]),
];

/**
 * Parses a formula: numbers, "texts", {fields}, + - * / = <> < > <= >=, parentheses, and functions by name in any letter case.
 * @throws SyntaxError that says what is wrong with it
 */
export function parseFormula(text: string): ParsedFormula {
  const tokens = tokensOf(text);
  const references = new Set<string>();
  let at = 0;
  let depth = 0;

  const isNext = (mark: string) => tokens[at]?.kind === 'mark' && tokens[at]?.text === mark;
  const expect = (mark: string) => {
    if (!isNext(mark))
      throw new SyntaxError(
        at < tokens.length
          ? `“${mark}” is missing before “${tokens[at]?.text}”`
          : `“${mark}” is missing at the end`,
      );
    at += 1;
  };

  function expression(level = 0): Formula {
    const operators = OPERATORS[level];
    if (!operators) return signed();
    const first = expression(level + 1);
    const others: { operator: Arithmetic; operand: Formula }[] = [];
    for (;;) {
      const token = tokens[at];
      const operator = token?.kind === 'mark' ? operators.get(token.text) : undefined;
      if (!operator) break;
      at += 1;
      others.push({ operator, operand: expression(level + 1) });
    }
    if (others.length === 0) return first;
    // A loop, because nested calls for a long chain of operators would overflow the stack.
    return (work) =>
      others.reduce((left, { operator, operand }) => {
        const right = operand(work);
        work.step();
        work.look(left);
        work.look(right);
        return operator(left, right);
      }, first(work));
  }

  function signed(): Formula {
    if (isNext('+') || isNext('-')) {
      const isMinus = isNext('-');
      at += 1;
      const inner = deeper(signed);
      return counted((work) => (isMinus ? -numberOf(inner(work)) : numberOf(inner(work))));
    }
    return operand();
  }

  function operand(): Formula {
    const token = tokens[at];
    if (!token) throw new SyntaxError('it ends too early');
    at += 1;
    switch (token.kind) {
      case 'number': {
        const number = parseNumber(token.text);
        if (number === undefined) throw new SyntaxError('a number is too long');
        return () => number;
      }
      case 'text':
        return () => token.text;
      case 'field':
        references.add(token.text);
        return counted((work) => work.value(token.text));
      case 'word':
        return word(token.text.toUpperCase());
      default: {
        if (token.text !== '(') throw new SyntaxError(`“${token.text}” is not expected there`);
        const inner = deeper(expression);
        expect(')');
        return inner;
      }
    }
  }

  function word(name: string): Formula {
    if (!isNext('(') && (name === 'TRUE' || name === 'FALSE')) return () => name === 'TRUE';
    const called = FUNCTIONS.get(name);
    if (!called) throw new SyntaxError(`there is no function ${name}`);
    expect('(');
    const given: Formula[] = [];
    while (!isNext(')')) {
      given.push(deeper(expression));
      if (!isNext(',')) break;
      at += 1;
    }
    expect(')');
    return counted(call(name, called, given));
  }

  function deeper(read: () => Formula): Formula {
    depth += 1;
    if (depth > MAX_DEPTH) throw new SyntaxError('it is nested too deeply');
    const formula = read();
    depth -= 1;
    return formula;
  }

  const formula = expression();
  if (at < tokens.length) throw new SyntaxError(`“${tokens[at]?.text}” is not expected there`);
  return { evaluate: formula, references };
}

function counted(formula: Formula): Formula {
  return (work) => {
    work.step();
    return formula(work);
  };
}

function call(name: string, { least, most, call: of }: FormulaFunction, given: readonly Formula[]): Formula {
  if (given.length < least || given.length > most) {
    const wanted =
      least === most ? least : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
    throw new SyntaxError(`${name} takes ${wanted}, not ${given.length}`);
  }
  return (work) => {
    const worthOf = (argument: Formula) => {
      const value = argument(work);
      work.look(value);
      return value;
    };
    return of(
      given.map((argument) => () => worthOf(argument)),
      work.look,
    );
  };
}

/** @throws SyntaxError if it cannot be read */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (!match) throw new SyntaxError(`“${trimmed.slice(from).trimStart().slice(0, 20)}” cannot be read`);
    const [, number, double, single, field, name, mark] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (double !== undefined) tokens.push({ kind: 'text', text: double.replaceAll('""', '"') });
    else if (single !== undefined) tokens.push({ kind: 'text', text: single.replaceAll("''", "'") });
    else if (field !== undefined) tokens.push({ kind: 'field', text: field.trim() });
    else if (name !== undefined) tokens.push({ kind: 'word', text: name });
    else tokens.push({ kind: 'mark', text: mark ?? '' });
  }
  return tokens;
}
