import { describe, expect, test } from 'vitest';
import { namedAnswers } from '../../fields/formulas/named-answers.ts';
import {
  type ComputedVariable,
  compileVariables,
  variableProblems,
} from '../../fields/formulas/variables.ts';
import type { Answers } from '../../fields/property.ts';

const variable = (id: string, formula: string, result_type?: string): ComputedVariable => ({
  id: `cv_${id}`,
  name: id,
  formula,
  result_type,
});

function worth(formula: string, answers: Answers = {}, resultType?: string): number | string | null {
  const values = compileVariables([variable('x', formula, resultType)]);
  return values.get('cv_x')?.(answers) ?? null;
}

describe('repeated questions', () => {
  const answers: Answers = {
    items: [
      { price: 2.5, qty: 4, 'a.b': 'x', tags: ['p', 'q'] },
      { qty: 1 },
      { price: 10, qty: 2, gift: true },
    ],
    'items.own': 'mine',
    'a.b': [{ 'c.d': 7 }],
    many: ['2', '5'],
  };

  test.each([
    ['COUNT({items})', 3],
    ['COUNT({items.price})', 2],
    ['SUM({items.price})', 12.5],
    ['AVERAGE({items.price})', 6.25],
    ['MAX({items.qty}, 3)', 4],
    ['SUM({items.gift})', 1],
    ['COUNT({items.tags})', 2],
    ['{items.a.b} & 1', null],
    ['JOIN("+", {items.a.b}, {items.qty})', 'x+4+1+2'],
    ['SUM({a.b.c.d})', 7],
    ['{items.own}', 'mine'],
    ['COUNT({items.toString}, {items.unknown}, {nothing.price}, {many.length})', 0],
    ['SUMPRODUCT({items.price}, {items.qty})', 30],
    ['SUMPRODUCT({items.price}, {items.qty}, {items.gift})', 20],
    ['SUMPRODUCT({items.qty})', 7],
    ['SUMPRODUCT(3, 4)', 12],
    ['SUMPRODUCT({nothing.price}, {nothing.qty})', 0],
    ['SUMPRODUCT({items.price}, {many})', null],
    ['SUMPRODUCT({items.a.b}, {items.qty})', null],
  ])('%s is %s', (formula, expected) => {
    expect(worth(formula, answers)).toBe(expected);
  });

  test('can be named in a formula, all of them and one by one', () => {
    const questions = [{ id: 'price', type: 'number', name: 'Price' }];
    const fields = namedAnswers([{ id: 'items', type: 'repeat', name: 'Items', questions }]);
    expect(fields.map(({ id, name }) => [id, name])).toEqual([
      ['items', 'Items'],
      ['items.price', 'Items.Price'],
    ]);
    const ids = new Set(fields.map(({ id }) => id));
    const problems = ['SUM({items.price}) + COUNT({items})', 'SUM({items.weight})'].map(
      (formula) => variableProblems([variable('x', formula)], ids)[0],
    );
    expect(problems).toEqual([null, 'The formula names {items.weight}, which the form does not have.']);
  });
});

describe('arithmetic', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['12 / 4 / 3', 1],
    ['-2 * -3', 6],
    ['--2', 2],
    ['2 - -2', 4],
    ['.5 + 1.25', 1.75],
    ['0.1 + 0.2', 0.3],
    ['1 / 0', null],
    ['0 / 0', null],
    ['"3" + "4"', 7],
    ['"three" + 4', null],
    ['"a" = "A"', 'TRUE'],
    ['1 + 1 = 2', 'TRUE'],
    ['"10" > "9"', 'TRUE'],
    ['"b" > "a"', 'TRUE'],
    ['2 <> 2', 'FALSE'],
    ['3 >= 4', 'FALSE'],
    ['3 <= 4', 'TRUE'],
    ['TRUE + TRUE', 2],
  ])('%s is %s', (formula, expected) => {
    expect(worth(formula)).toBe(expected);
  });

  test('answers count as what they are, and blank ones as nothing', () => {
    const answers: Answers = { price: 12.5, qty: '3', none: null, many: ['2', '5'], list: ['a', 'b'] };
    expect(worth('{price} * {qty}', answers)).toBe(37.5);
    expect(worth('{ price } + {none} + {never asked}', answers)).toBe(12.5);
    expect(worth('SUM({many}, 3)', answers)).toBe(10);
    expect(worth('{list} + 1', answers)).toBe(null);
    expect(worth('{list}', answers)).toBe('a, b');
    expect(worth('{none}', answers)).toBe(null);
    expect(worth('{toString}', answers)).toBe(null);
    expect(worth('{row}', { row: { Speed: 'Good' } })).toBe('{"Speed":"Good"}');
  });
});

describe('functions', () => {
  test.each([
    ['SUM(1, 2, 3)', 6],
    ['sum(1, "", 3)', 4],
    ['AVERAGE(1, 2, 6)', 3],
    ['AVERAGE("")', null],
    ['MIN(3, 1, 2)', 1],
    ['MAX(3, 1, 2)', 3],
    ['ROUND(1.005, 2)', 1.01],
    ['ROUND(-2.5)', -3],
    ['ROUND(1234, -2)', 1200],
    ['FLOOR(-1.5)', -2],
    ['CEIL(1.2)', 2],
    ['ABS(-3)', 3],
    ['MOD(-1, 3)', 2],
    ['MOD(1, 0)', null],
    ['POWER(2, 10)', 1024],
    ['POWER(10, 400)', null],
    ['SQRT(9)', 3],
    ['SQRT(-1)', null],
    ['CONCAT("a", 1, TRUE)', 'a1TRUE'],
    ['UPPER("ab")', 'AB'],
    ['LOWER("AB")', 'ab'],
    ['TRIM("  a   b ")', 'a b'],
    ['LEFT("abc")', 'a'],
    ['LEFT("abc", 2)', 'ab'],
    ['RIGHT("abc", 2)', 'bc'],
    ['RIGHT("abc", 9)', 'abc'],
    ['MID("abcdef", 2, 3)', 'bcd'],
    ['MID("abc", 0, 1)', null],
    ['LEN("abc")', 3],
    ['LEFT("😀 Ada")', '😀'],
    ['RIGHT("Ada 😀")', '😀'],
    ['RIGHT("😀", 5)', '😀'],
    ['MID("😀😁😂", 2, 1)', '😁'],
    ['REPLACE("😀😁😂", 2, 1, "-")', '😀-😂'],
    ['LEN("😀 Ada")', 5],
    ['FIND("A", "😀 Ada")', 3],
    ['FIND("a", "😀 Adaa", 6)', 6],
    ['SEARCH("A", "😀😀a", 3)', 3],
    ['SUBSTITUTE("a-b-c", "-", "+")', 'a+b+c'],
    ['SUBSTITUTE("abc", "", "+")', 'abc'],
    ['REPLACE("abcdef", 2, 3, "X")', 'aXef'],
    ['FIND("c", "abc")', 3],
    ['FIND("C", "abc")', null],
    ['SEARCH("C", "abc")', 3],
    ['REPT("ab", 3)', 'ababab'],
    ['TEXT(1234.5, "#,##0.00")', '1,234.50'],
    ['TEXT(-1234567.891, "#,##0.0")', '-1,234,567.9'],
    ['TEXT(0.285, "0%")', '29%'],
    ['TEXT(1.005, "0.00")', '1.01'],
    ['TEXT(1, "yyyy")', null],
    ['JOIN(", ", "a", "", "b")', 'a, b'],
    ['CONTAINS("Hello", "ELL")', 'TRUE'],
    ['CONTAINS("Hello", "x")', 'FALSE'],
    ['IF(1 > 2, "yes", "no")', 'no'],
    ['IF(1 > 2, "yes")', null],
    ['IF(TRUE, 1, 1 / 0)', 1],
    ['IFS(FALSE, 1, TRUE, 2)', 2],
    ['IFS(FALSE, 1)', null],
    ['SWITCH(2, 1, "one", 2, "two", "many")', 'two'],
    ['SWITCH(3, 1, "one", 2, "two", "many")', 'many'],
    ['CHOOSE(2, "a", "b")', 'b'],
    ['CHOOSE(3, "a", "b")', null],
    ['IFERROR(1 / 0, "none")', 'none'],
    ['IFBLANK("", 5)', 5],
    ['COALESCE("", "", 7)', 7],
    ['AND(1, TRUE, "true")', 'TRUE'],
    ['AND(TRUE, FALSE)', 'FALSE'],
    ['OR(FALSE, 1)', 'TRUE'],
    ['NOT(0)', 'TRUE'],
    ['XOR(TRUE, TRUE, TRUE)', 'TRUE'],
    ['ISBLANK("")', 'TRUE'],
    ['ISEMPTY({x})', 'TRUE'],
    ['ISNUMBER(1)', 'TRUE'],
    ['ISNUMBER("1")', 'FALSE'],
    ['ISTEXT("1")', 'TRUE'],
    ['COUNT(1, "", "a")', 2],
  ])('%s is %s', (formula, expected) => {
    expect(worth(formula)).toBe(expected);
  });

  test('a quote within a text is written twice', () => {
    expect(worth('"say ""hi"""')).toBe('say "hi"');
    expect(worth("'it''s'")).toBe("it's");
  });

  test('the result becomes what the variable is to be', () => {
    expect(worth('"12"', {}, 'number')).toBe(12);
    expect(worth('"a"', {}, 'number')).toBe(null);
    expect(worth('""', {}, 'number')).toBe(null);
    expect(worth('12 / 8', {}, 'text')).toBe('1.5');
    expect(worth('1 = 1', {}, 'number')).toBe(1);
  });
});

describe('variables', () => {
  test('stand in one another', () => {
    const values = compileVariables([
      variable('total', '{cv_net} + {cv_tax}'),
      variable('net', '{price} * {qty}'),
      variable('tax', 'ROUND({cv_net} * 0.19, 2)'),
    ]);
    expect(values.get('cv_total')?.({ price: 10, qty: 3 })).toBe(35.7);
  });

  test('that stand in themselves, or cannot be read, are worth nothing', () => {
    const values = compileVariables([
      variable('a', '{cv_b} + 1'),
      variable('b', '{cv_a} + 1'),
      variable('c', '1 +'),
      variable('d', 'IFERROR({cv_c} + 0, 5)'),
    ]);
    for (const id of ['a', 'b', 'c']) expect(values.get(`cv_${id}`)?.({})).toBe(null);
    expect(values.get('cv_d')?.({})).toBe(0);
  });

  test('what they cost has an end', () => {
    const doubled = Array.from({ length: 20 }, (_, at) => variable(`${at + 1}`, `{cv_${at}} + {cv_${at}}`));
    const values = compileVariables([variable('0', '1'), ...doubled]);
    expect(values.get('cv_19')?.({})).toBe(2 ** 19);
    expect(worth('REPT(REPT("x", 9999), 9999)')).toBe(null);
    expect(worth(`SUBSTITUTE("${'a'.repeat(900)}", "a", REPT("b", 9000))`)).toBe(null);
    const many = compileVariables([variable('x', '1 + 1 + 1')], () => ({ left: 1 }));
    expect(many.get('cv_x')?.({})).toBe(null);
  });

  test('are checked before they are saved', () => {
    const fields = new Set(['price']);
    const problemsOf = (...variables: ComputedVariable[]) => variableProblems(variables, fields);
    expect(problemsOf(variable('a', '{price} * 2'), variable('b', '{cv_a} + 1'))).toEqual([null, null]);
    expect(problemsOf(variable('a', '{qty}'))).toEqual([
      'The formula names {qty}, which the form does not have.',
    ]);
    expect(problemsOf(variable('a', '{cv_b}'), variable('b', '{cv_a}'), variable('c', '{cv_a}'))).toEqual(
      Array(3).fill('The formula stands in itself, by way of others or at once.'),
    );
    const chain = Array.from({ length: 21 }, (_, at) => variable(`${at + 1}`, `{cv_${at}}`));
    expect(variableProblems([variable('0', '1'), ...chain], fields).slice(-3)).toEqual([
      null,
      'More than 20 formulas stand in one another.',
      'More than 20 formulas stand in one another.',
    ]);
    const reading = (formula: string) => problemsOf(variable('a', formula))[0];
    expect(reading('1 +')).toBe('The formula cannot be read: it ends too early.');
    expect(reading('SUM(1')).toBe('The formula cannot be read: “)” is missing at the end.');
    expect(reading('SUMME(1)')).toBe('The formula cannot be read: there is no function SUMME.');
    expect(reading('IF(1)')).toBe('The formula cannot be read: IF takes 2 to 3, not 1.');
    expect(reading('1 ; 2')).toBe('The formula cannot be read: “; 2” cannot be read.');
    expect(reading('1 2')).toBe('The formula cannot be read: “2” is not expected there.');
    expect(reading(`${'('.repeat(60)}1${')'.repeat(60)}`)).toBe(
      'The formula cannot be read: it is nested too deeply.',
    );
    expect(reading('')).toBe('The formula cannot be read: it ends too early.');
  });
});
