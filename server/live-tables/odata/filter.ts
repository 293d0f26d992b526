import type { Compared, EntityProperty, EntitySet } from './entity-types.ts';
import { type Literal, readLiteral } from './literals.ts';
import { badRequest, notImplemented } from './problems.ts';

/** A `$filter`, its names resolved and its values checked. */
export type Condition =
  | { is: 'and' | 'or'; of: Condition[] }
  | { is: 'not'; of: Condition }
  | { is: 'compared'; as: Compared; operator: Operator; value: Literal };

export type Operator = keyof typeof TURNED;

/** Each operator with the one that says the same from the other side. */
const TURNED = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const;
/** What OData has besides them, and this service does not. */
const OTHER_OPERATORS = ['has', 'in', 'add', 'sub', 'mul', 'div', 'divby', 'mod'];
const MAX_COMPARISONS = 20;
/** Parentheses within each other. */
const MAX_DEPTH = 20;
/** A parenthesis, a text in quotes (a quote in it is doubled), or anything up to the next of them. */
const TOKEN = /\s*(?:([()])|('(?:[^']|'')*')|([^\s()']+))/y;

interface Reading {
  set: EntitySet;
  tokens: readonly string[];
  at: number;
  depth: number;
  comparisons: number;
}

/**
 * Reads comparisons of a property with a value, combined by `and`, `or`, `not` and parentheses (OData URL Conventions 4.0, 5.1.1).
 * @throws HttpError 400 for what is wrong, 501 for what OData has and this service does not
 */
export function readFilter(text: string, set: EntitySet): Condition {
  const reading: Reading = { set, tokens: tokensOf(text), at: 0, depth: 0, comparisons: 0 };
  const condition = readEither(reading);
  const rest = reading.tokens[reading.at];
  if (rest !== undefined) throw unexpected(rest);
  return condition;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [, mark, quoted, word] = TOKEN.exec(text) ?? [];
    const token = mark ?? quoted ?? word;
    if (token === undefined) throw badRequest('A text in the $filter has no closing quote.');
    tokens.push(token);
  }
  return tokens;
}

function readEither(reading: Reading): Condition {
  return readJoined(reading, 'or', () => readJoined(reading, 'and', () => readOne(reading)));
}

function readJoined(reading: Reading, word: 'and' | 'or', read: () => Condition): Condition {
  const first = read();
  const of = [first];
  while (reading.tokens[reading.at] === word) {
    reading.at += 1;
    of.push(read());
  }
  return of.length === 1 ? first : { is: word, of };
}

function readOne(reading: Reading): Condition {
  const token = reading.tokens[reading.at];
  if (token === 'not') {
    reading.at += 1;
    if (reading.tokens[reading.at] !== '(')
      throw badRequest('In the $filter, not is followed by parentheses.');
    return { is: 'not', of: readOne(reading) };
  }
  if (token !== '(') return readComparison(reading);
  reading.at += 1;
  reading.depth += 1;
  if (reading.depth > MAX_DEPTH) throw badRequest('The $filter has too many parentheses within each other.');
  const condition = readEither(reading);
  reading.depth -= 1;
  if (next(reading) !== ')') throw badRequest('A parenthesis in the $filter is not closed.');
  return condition;
}

function readComparison(reading: Reading): Condition {
  reading.comparisons += 1;
  if (reading.comparisons > MAX_COMPARISONS)
    throw badRequest(`The $filter may not have more than ${MAX_COMPARISONS} comparisons.`);
  const left = readOperand(reading);
  const operator = readOperator(reading);
  const right = readOperand(reading);
  const property = propertyOf(reading.set, left);
  if (property) return comparison(property, operator, right);
  const turned = propertyOf(reading.set, right);
  if (turned) return comparison(turned, TURNED[operator], left);
  throw badRequest(`${reading.set.name} has no property ${shown(left)}.`);
}

function readOperand(reading: Reading): string {
  const token = next(reading);
  if (token === '(' || token === ')') throw unexpected(token);
  if (reading.tokens[reading.at] === '(')
    throw notImplemented(`The function ${shown(token)} is not supported.`);
  return token;
}

function readOperator(reading: Reading): Operator {
  const token = next(reading);
  if (Object.hasOwn(TURNED, token)) return token as Operator;
  if (OTHER_OPERATORS.includes(token)) throw notImplemented(`The operator ${token} is not supported.`);
  throw unexpected(token);
}

function next(reading: Reading): string {
  const token = reading.tokens[reading.at];
  if (token === undefined) throw badRequest('The $filter ends too early.');
  reading.at += 1;
  return token;
}

function propertyOf({ properties }: EntitySet, name: string): EntityProperty | undefined {
  return properties.find((property) => property.name === name);
}

function comparison(property: EntityProperty, operator: Operator, token: string): Condition {
  const { comparedAs: as } = property;
  if (as === null) throw notImplemented(`${property.name} cannot be compared in a $filter.`);
  const isOrder = operator !== 'eq' && operator !== 'ne';
  if (isOrder && (property.type === 'Edm.String' || property.type === 'Edm.Boolean'))
    throw notImplemented(`${property.name} can be compared by eq and ne only.`);
  return { is: 'compared', as, operator, value: readLiteral(token, property) };
}

function unexpected(token: string) {
  return badRequest(`The $filter has an unexpected ${shown(token)}.`);
}

/** As long as a message may repeat it. */
function shown(token: string): string {
  return token.length > 64 ? `${token.slice(0, 64)}…` : token;
}
