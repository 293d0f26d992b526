import { countCharacters } from '../texts/characters.ts';
import type { Work } from './parse.ts';
import {
  compare,
  FormulaError,
  finite,
  flat,
  isBlankValue,
  isTrue,
  limited,
  numberOf,
  refuseLonger,
  type Value,
  writtenAs,
} from './values.ts';

/** The arguments; each is evaluated when it is called. */
type Arguments = (() => Value)[];

/** A function with the smallest and largest number of its arguments. */
export interface FormulaFunction {
  least: number;
  most: number;
  /** @param look counts the effort for a value that is looked through once more */
  call(given: Arguments, look: Work['look']): Value;
}

const ANY = Number.POSITIVE_INFINITY;
const blank = () => null;

const numbers = (given: Arguments) => flat(all(given)).map(numberOf);
const all = (given: Arguments) => given.map((argument) => argument());

function number(least: number, most: number, of: (...numbers: number[]) => number): FormulaFunction {
  return { least, most, call: (given) => finite(of(...all(given).map(numberOf))) };
}

function ofList(of: (numbers: number[]) => number): FormulaFunction {
  return { least: 1, most: ANY, call: (given) => finite(of(numbers(given))) };
}

/** @param of gets the first argument as text, all others unchanged */
function text(least: number, most: number, of: (text: string, ...others: Value[]) => Value): FormulaFunction {
  return {
    least,
    most,
    call(given) {
      const [first = null, ...others] = all(given);
      const value = of(writtenAs(first), ...others);
      return typeof value === 'string' ? limited(value) : value;
    },
  };
}

function test(least: number, most: number, of: (...values: Value[]) => boolean): FormulaFunction {
  return { least, most, call: (given) => of(...all(given)) };
}

/** A function that evaluates its arguments one by one, and only as far as needed. */
function lazy(least: number, most: number, call: FormulaFunction['call']): FormulaFunction {
  return { least, most, call };
}

/** The functions of formulas by their upper-case names; each does what it does in a spreadsheet. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map([
  ['SUM', ofList((list) => list.reduce((sum, item) => sum + item, 0))],
  ['AVERAGE', ofList((list) => list.reduce((sum, item) => sum + item, 0) / list.length)],
  ['MIN', ofList((list) => (list.length === 0 ? 0 : list.reduce((least, item) => Math.min(least, item))))],
  ['MAX', ofList((list) => (list.length === 0 ? 0 : list.reduce((most, item) => Math.max(most, item))))],
  ['SUMPRODUCT', { least: 1, most: ANY, call: (given) => finite(sumOfProducts(all(given))) }],
  ['ROUND', number(1, 2, (value, places = 0) => rounded(value, places))],
  ['FLOOR', number(1, 1, Math.floor)],
  ['CEIL', number(1, 1, Math.ceil)],
  ['ABS', number(1, 1, Math.abs)],
  ['MOD', number(2, 2, (value, by = 0) => value - by * Math.floor(value / by))],
  ['POWER', number(2, 2, (base, exponent = 0) => base ** exponent)],
  ['SQRT', number(1, 1, Math.sqrt)],

  ['CONCAT', { least: 1, most: ANY, call: (given) => limited(all(given).map(writtenAs).join('')) }],
  ['UPPER', text(1, 1, (value) => value.toUpperCase())],
  ['LOWER', text(1, 1, (value) => value.toLowerCase())],
  ['TRIM', text(1, 1, (value) => value.trim().replace(/\s+/g, ' '))],
  ['LEFT', text(1, 2, (value, count = 1) => part(value, 0, wholeNumber(count)))],
  [
    'RIGHT',
    text(1, 2, (value, count = 1) => part(value, Math.max(0, countCharacters(value) - wholeNumber(count)))),
  ],
  [
    'MID',
    text(3, 3, (value, start = 1, count = 0) => {
      const from = position(start);
      return part(value, from, from + wholeNumber(count));
    }),
  ],
  ['LEN', text(1, 1, countCharacters)],
  ['SUBSTITUTE', text(3, 3, (value, old = '', by = '') => substituted(value, writtenAs(old), writtenAs(by)))],
  [
    'REPLACE',
    text(4, 4, (value, start = 1, count = 0, by = '') => {
      const from = position(start);
      return part(value, 0, from) + writtenAs(by) + part(value, from + wholeNumber(count));
    }),
  ],
  ['FIND', text(2, 3, (wanted, within = '', start = 1) => found(wanted, writtenAs(within), start))],
  [
    'SEARCH',
    text(2, 3, (wanted, within = '', start = 1) =>
      found(wanted.toLowerCase(), writtenAs(within).toLowerCase(), start),
    ),
  ],
  [
    'REPT',
    text(2, 2, (value, count = 0) => {
      const times = wholeNumber(count);
      refuseLonger(value.length * times);
      return value.repeat(times);
    }),
  ],
  ['TEXT', text(2, 2, (value, format = '') => formatted(numberOf(value), writtenAs(format)))],
  ['JOIN', text(2, ANY, (separator, ...parts) => flat(parts).map(writtenAs).join(separator))],
  [
    'CONTAINS',
    {
      least: 2,
      most: 2,
      call(given, look) {
        const [within = null, part = null] = all(given);
        return contains(within, writtenAs(part), look);
      },
    },
  ],

  ['IF', lazy(2, 3, ([condition = blank, yes = blank, no = blank]) => (isTrue(condition()) ? yes : no)())],
  ['IFS', lazy(2, ANY, (given) => firstOf(pairs(given), (condition) => isTrue(condition())))],
  [
    'SWITCH',
    lazy(3, ANY, ([subject = blank, ...cases], look) => {
      const value = subject();
      return firstOf(pairs(cases), (other) => {
        look(value);
        return compare(value, other()) === 0;
      });
    }),
  ],
  [
    'CHOOSE',
    lazy(2, ANY, ([index = blank, ...choices]) => {
      const chosen = choices[wholeNumber(index()) - 1];
      if (!chosen) throw new FormulaError('no such choice');
      return chosen();
    }),
  ],
  ['IFERROR', lazy(2, 2, ([attempt = blank, otherwise = blank]) => worth(attempt) ?? otherwise())],
  ['IFBLANK', lazy(2, 2, (given) => firstAnswered(given))],
  ['COALESCE', lazy(1, ANY, (given) => firstAnswered(given))],
  ['AND', lazy(1, ANY, (given) => given.every((argument) => isTrue(argument())))],
  ['OR', lazy(1, ANY, (given) => given.some((argument) => isTrue(argument())))],
  ['NOT', test(1, 1, (value = null) => !isTrue(value))],
  ['XOR', test(1, ANY, (...values) => values.filter(isTrue).length % 2 === 1)],
  ['ISBLANK', test(1, 1, (value = null) => isBlankValue(value))],
  ['ISEMPTY', test(1, 1, (value = null) => isBlankValue(value))],
  ['ISNUMBER', test(1, 1, (value = null) => typeof value === 'number')],
  ['ISTEXT', test(1, 1, (value = null) => typeof value === 'string' && value !== '')],
  ['COUNT', { least: 1, most: ANY, call: (given) => flat(all(given)).length }],
]);

/** For lists of equal length: the sum of the products of their members at the same place. */
function sumOfProducts(values: readonly Value[]): number {
  const [first = [], ...others] = values.map((value) => (isBlankValue(value) ? [] : [value].flat()));
  if (others.some(({ length }) => length !== first.length)) throw new FormulaError('not equally long');
  return first.reduce(
    (sum: number, item, at) =>
      sum + others.reduce((product, other) => product * numberOf(other[at] ?? null), numberOf(item)),
    0,
  );
}

function worth(attempt: () => Value): Value | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

function firstAnswered(given: Arguments): Value {
  for (const argument of given) {
    const value = argument();
    if (!isBlankValue(value)) return value;
  }
  return null;
}

interface Case {
  /** Null is always true. */
  condition: (() => Value) | null;
  value: () => Value;
}

/** Pairs of a condition and a value; a last single argument is the value if no condition is true. */
function pairs(given: Arguments): Case[] {
  const cases: Case[] = [];
  for (let at = 0; at < given.length; at += 2) {
    const [first = blank, second] = given.slice(at, at + 2);
    cases.push(second ? { condition: first, value: second } : { condition: null, value: first });
  }
  return cases;
}

function firstOf(cases: readonly Case[], holds: (condition: () => Value) => boolean): Value {
  const found = cases.find(({ condition }) => condition === null || holds(condition));
  if (!found) throw new FormulaError('no case holds');
  return found.value();
}

function wholeNumber(value: Value): number {
  const count = Math.trunc(numberOf(value));
  if (count < 0) throw new FormulaError('below zero');
  return count;
}

/** A character's position, counted from one. */
function position(value: Value): number {
  const at = wholeNumber(value) - 1;
  if (at < 0) throw new FormulaError('no such place');
  return at;
}

/** Counts code points, because half of a surrogate pair could not be written anywhere. */
function part(text: string, from: number, to?: number): string {
  return [...text].slice(from, to).join('');
}

function found(wanted: string, within: string, start: Value): number {
  const at = within.indexOf(wanted, part(within, 0, position(start)).length);
  if (at < 0) throw new FormulaError('not found');
  return countCharacters(within.slice(0, at)) + 1;
}

function contains(within: Value, part: string, look: Work['look']): boolean {
  if (Array.isArray(within))
    return within.some((item) => {
      look(part);
      return compare(item, part) === 0;
    });
  return writtenAs(within).toLowerCase().includes(part.toLowerCase());
}

function substituted(value: string, old: string, by: string): string {
  if (old === '') return value;
  const parts = value.split(old);
  refuseLonger(value.length + (parts.length - 1) * (by.length - old.length));
  return parts.join(by);
}

/** Rounds halves away from zero. */
function rounded(value: number, places: number): number {
  const digits = Math.trunc(places);
  return Math.sign(value) * withPointMoved(Math.round(withPointMoved(Math.abs(value), digits)), -digits);
}

/** Moves the point in the text, because 1.005 * 100 is less than 100.5. */
function withPointMoved(number: number, places: number): number {
  const [mantissa, exponent = '0'] = String(number).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

/** Formats by `0`, `0.00`, `#,##0.00`, `0%`: decimal places, thousands separators, percent. */
function formatted(value: number, format: string): string {
  const parts = /^(#,##)?0(?:\.(0{1,10}))?(%)?$/.exec(format);
  if (!parts) throw new FormulaError('not a format');
  const [, thousands, places = '', percent] = parts;
  const number = finite(rounded(Math.abs(percent ? withPointMoved(value, 2) : value), places.length));
  const [whole = '', ...fraction] = number.toFixed(places.length).split('.');
  const grouped = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${value < 0 && number !== 0 ? '-' : ''}${[grouped, ...fraction].join('.')}${percent ?? ''}`;
}
