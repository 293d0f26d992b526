// Expressions of XLSForm (XPath), SurveyJS and LimeSurvey, such as `${age} >= 18 and not(selected(${likes}, 'tea'))`.

import { tableOf } from './json.ts';

export type Expression =
  | { kind: 'value'; value: string | number | boolean }
  | { kind: 'answer'; name: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'call'; name: string; inputs: Expression[] }
  | { kind: 'operation'; operator: string; left: Expression; right: Expression };

/** Decides how answers are written; the rest is much the same. */
export type Dialect = 'xpath' | 'surveyjs' | 'limesurvey';

/** What `.` refers to: the answer that is being checked. */
export const SELF = '.';

/** Typographic quotation marks that spreadsheets insert. */
const SINGLE = /[‘’‚]/g;
const DOUBLE = /[“”„]/g;
const MAX_LENGTH = 5_000;
const MAX_DEPTH = 50;
const WORD: Readonly<Record<Dialect, string>> = {
  xpath: '[A-Za-z_][\\w-]*',
  surveyjs: '[A-Za-z_]\\w*',
  limesurvey: '[A-Za-z_]\\w*',
};
/** In LimeSurvey a word is an answer, unless it is an operator or called; `12X3X45SQ1` is one too. */
const ANSWER: Readonly<Record<Dialect, string>> = {
  xpath: '\\$\\{([^{}]+)\\}',
  surveyjs: '\\{([^{}]+)\\}',
  limesurvey:
    '((?!(?:and|or|eq|ne|lt|le|gt|ge)\\b)(?:\\d+X\\d+X\\d+\\w*|[A-Za-z]\\w*)(?:[.:]\\w+)*)(?![\\w.:]|\\s*\\()',
};
const MARKS = '<=|>=|!=|<>|==|\\*=|&&|\\|\\||[-+*/%=<>!(),.[\\]]';
/** A single `=` sets a variable in LimeSurvey, so it is no comparison. */
const LIME_MARKS = '<=|>=|!=|==|&&|\\|\\||[-+*/<>!(),]';

type Token = { kind: 'number' | 'text' | 'answer' | 'word' | 'mark' | 'end'; text: string };

/** Binary operators by their names here; lowest precedence first. */
const LEVELS: readonly Readonly<Record<string, string>>[] = [
  { or: 'or', '||': 'or' },
  { and: 'and', '&&': 'and' },
  {
    '=': '=',
    '==': '=',
    equal: '=',
    '!=': '!=',
    '<>': '!=',
    notequal: '!=',
    eq: '=',
    ne: '!=',
    '<': '<',
    less: '<',
    lt: '<',
    '<=': '<=',
    lessorequal: '<=',
    le: '<=',
    '>': '>',
    greater: '>',
    gt: '>',
    '>=': '>=',
    greaterorequal: '>=',
    ge: '>=',
    contains: 'contains',
    contain: 'contains',
    '*=': 'contains',
    notcontains: 'notcontains',
    notcontain: 'notcontains',
    anyof: 'anyof',
    allof: 'allof',
    noneof: 'noneof',
  },
  { '+': '+', '-': '-' },
  { '*': '*', '/': '/', div: '/', '%': 'mod', mod: 'mod' },
];
/** Operators that follow their operand. */
const BEHIND = tableOf<string>({ empty: 'empty', notempty: 'notempty' });

/** Parses an expression; null if it cannot be read. */
export function parseExpression(text: string, dialect: Dialect): Expression | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    return parse(tokensOf(text.replace(SINGLE, "'").replace(DOUBLE, '"'), dialect));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function tokensOf(text: string, dialect: Dialect): Token[] {
  const marks = dialect === 'limesurvey' ? LIME_MARKS : MARKS;
  const pattern = new RegExp(
    `\\s*(?:${ANSWER[dialect]}|(\\d+(?:\\.\\d+)?)|'([^']*)'|"([^"]*)"|(${WORD[dialect]})|(${marks}))`,
    dialect === 'limesurvey' ? 'iy' : 'y',
  );
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const found = pattern.exec(text);
    if (!found) throw new SyntaxError('Unknown sign.');
    tokens.push(tokenOf(found));
  }
  return tokens;
}

function tokenOf([, answer, number, single, double, word, mark = '']: RegExpExecArray): Token {
  const quoted = single ?? double;
  if (answer !== undefined) return { kind: 'answer', text: answer.trim() };
  if (number !== undefined) return { kind: 'number', text: number };
  if (quoted !== undefined) return { kind: 'text', text: quoted };
  return word === undefined ? { kind: 'mark', text: mark } : { kind: 'word', text: word };
}

function parse(tokens: readonly Token[]): Expression {
  let at = 0;
  let depth = 0;
  const peek = (): Token => tokens[at] ?? { kind: 'end', text: '' };
  const take = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const isMark = (text: string) => peek().kind === 'mark' && peek().text === text;
  const expect = (text: string) => {
    if (!isMark(text)) throw new SyntaxError(`Expected ${text}.`);
    at += 1;
  };
  const operatorAt = (level: number): string | undefined => {
    const { kind, text } = peek();
    const names = LEVELS[level] ?? {};
    const key = text.toLowerCase();
    return (kind === 'mark' || kind === 'word') && Object.hasOwn(names, key) ? names[key] : undefined;
  };

  function level(index: number): Expression {
    if (index >= LEVELS.length) return behind(unary());
    let left = level(index + 1);
    for (let operator = operatorAt(index); operator !== undefined; operator = operatorAt(index)) {
      at += 1;
      left = { kind: 'operation', operator, left, right: level(index + 1) };
    }
    return left;
  }

  function behind(expression: Expression): Expression {
    const { kind, text } = peek();
    const name = kind === 'word' ? BEHIND[text.toLowerCase()] : undefined;
    if (name === undefined) return expression;
    at += 1;
    return { kind: 'call', name, inputs: [expression] };
  }

  function unary(): Expression {
    depth += 1;
    if (depth > MAX_DEPTH) throw new SyntaxError('Too deep.');
    const expression = innermost();
    depth -= 1;
    return expression;
  }

  function innermost(): Expression {
    const { kind, text } = take();
    switch (kind) {
      case 'number':
        return { kind: 'value', value: Number(text) };
      case 'text':
        return { kind: 'value', value: text };
      case 'answer':
        return { kind: 'answer', name: text };
      case 'word':
        return called(text);
      default:
        return marked(text);
    }
  }

  /** What begins with this mark. */
  function marked(mark: string): Expression {
    switch (mark) {
      case '.':
        return { kind: 'answer', name: SELF };
      case '!':
        return { kind: 'call', name: 'not', inputs: [unary()] };
      case '-':
        return negative(unary());
      case '[':
        return { kind: 'list', items: listed(']') };
      case '(': {
        const inner = level(0);
        expect(')');
        return inner;
      }
      default:
        throw new SyntaxError('Unexpected sign.');
    }
  }

  function called(word: string): Expression {
    const name = word.toLowerCase();
    if (isMark('(')) {
      at += 1;
      const inputs = listed(')');
      if ((name === 'true' || name === 'false') && inputs.length === 0)
        return { kind: 'value', value: name === 'true' };
      return { kind: 'call', name, inputs };
    }
    if (name === 'true' || name === 'false') return { kind: 'value', value: name === 'true' };
    if (name === 'not') return { kind: 'call', name, inputs: [unary()] };
    throw new SyntaxError('Unknown word.');
  }

  function listed(end: string): Expression[] {
    const items: Expression[] = [];
    while (!isMark(end)) {
      if (items.length > 0) expect(',');
      items.push(level(0));
    }
    expect(end);
    return items;
  }

  const expression = level(0);
  if (peek().kind !== 'end') throw new SyntaxError('Something follows.');
  return expression;
}

function negative(inner: Expression): Expression {
  if (inner.kind === 'value' && typeof inner.value === 'number')
    return { kind: 'value', value: -inner.value };
  return { kind: 'operation', operator: '-', left: { kind: 'value', value: 0 }, right: inner };
}
