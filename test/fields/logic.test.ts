import { describe, expect, test } from 'vitest';
import { checkConditions, checkPropertyLogic } from '../../fields/logic/check-logic.ts';
import { MAX_GROUP_DEPTH } from '../../fields/logic/logic.ts';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { serverEngines as engines } from '../../fields/server-engines.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { conditionsMet, effectiveState, property, TODAY } from './forms.ts';

const leaf = (type: string, operator: string, value?: JsonValue) => ({
  identifier: 'x',
  value: { operator, property_meta: { id: 'x', type }, ...(value !== undefined && { value }) },
});
const group = (...children: ConditionGroup['children']): ConditionGroup => ({
  operatorIdentifier: 'and',
  children,
});
const meets = (type: string, operator: string, value: JsonValue | undefined, answer: JsonValue | undefined) =>
  conditionsMet(group(leaf(type, operator, value)), answer === undefined ? {} : { x: answer }, {
    properties: [property(type)],
    engines,
    now: TODAY,
  });

type Row = [
  type: string,
  operator: string,
  value: JsonValue | undefined,
  holds: (JsonValue | undefined)[],
  fails: (JsonValue | undefined)[],
];

const OPERATORS: Row[] = [
  ['text', 'equals', 'Ann', ['Ann'], ['ann', 'Ann ', undefined, '']],
  ['text', 'equals', '7', ['7'], ['07', '7.0']],
  ['text', 'does_not_equal', 'Ann', ['Bob', undefined], ['Ann']],
  ['text', 'contains', 'nn', ['Anna'], ['ANNA', '', undefined]],
  ['text', 'does_not_contain', 'nn', ['Bob', undefined], ['Anna']],
  ['text', 'starts_with', 'An', ['Ann'], ['nAn', undefined]],
  ['text', 'ends_with', 'nn', ['Ann'], ['nnA', undefined]],
  ['text', 'is_empty', true, ['', null, undefined], ['0', ' ']],
  ['text', 'is_not_empty', true, ['0'], ['', undefined]],
  ['text', 'matches_regex', '^[a-z]+\\d$', ['ab1'], ['ab', 'AB1', undefined]],
  ['text', 'matches_regex', 'b', ['abc'], ['ac']],
  ['text', 'does_not_match_regex', '^a', ['ba', undefined], ['ab']],
  ['text', 'matches_regex', '(', [], ['(']],
  ['text', 'does_not_match_regex', '(', ['('], []],
  ['text', 'content_length_equals', 2, ['é😀', 'ab'], ['a', '', undefined]],
  ['text', 'content_length_does_not_equal', 2, ['a'], ['ab', '']],
  ['text', 'content_length_greater_than', '2', ['abc'], ['ab', '']],
  ['text', 'content_length_greater_than_or_equal_to', 2, ['ab'], ['a']],
  ['text', 'content_length_less_than', 2, ['a'], ['ab', '']],
  ['text', 'content_length_less_than_or_equal_to', 2, ['ab'], ['abc']],
  ['rich_text', 'contains', 'x', ['<p>x</p>'], ['<p>y</p>']],
  // What people read of it, not its markup.
  ['rich_text', 'equals', 'No & no', ['<p>No &amp; <b>no</b></p>', 'No & no'], ['<p>No</p>', undefined]],
  ['rich_text', 'contains', 'strong', ['<p>strong</p>'], ['<p><strong>x</strong></p>']],
  ['rich_text', 'starts_with', 'Hello', ['<p><strong>Hello</strong> all</p>'], ['<p>all Hello</p>']],
  ['rich_text', 'matches_regex', '^a b$', ['<p>a</p><p>b</p>', 'a<br>b'], ['<p>ab</p>']],
  ['rich_text', 'content_length_greater_than', 4, ['<p>Hello</p>'], ['<p>abc</p>']],
  ['rich_text', 'is_empty', true, ['<p><br></p>', '', undefined], ['<p>a</p>']],
  ['email', 'ends_with', '@a.example', ['b@a.example'], ['b@b.example']],
  ['url', 'starts_with', 'https', ['https://a.example'], ['http://a.example']],
  ['phone_number', 'starts_with', '+33', ['+33749119783'], ['+1201']],
  ['barcode', 'equals', '123', ['123'], ['124']],
  ['repeat', 'equals', 1, [[{ a: 1 }]], [undefined, [{ a: 1 }, { a: 2 }]]],
  ['repeat', 'does_not_equal', '1', [undefined, [{ a: 1 }, { a: 2 }]], [[{ a: 1 }]]],
  ['repeat', 'greater_than', 1, [[{ a: 1 }, { a: 2 }]], [undefined, [{ a: 1 }]]],
  ['repeat', 'less_than', 1, [undefined], [[{ a: 1 }]]],
  ['repeat', 'greater_than_or_equal_to', 2, [[{ a: 1 }, { a: 2 }]], [[{ a: 1 }]]],
  ['repeat', 'less_than_or_equal_to', 1, [undefined, [{ a: 1 }]], [[{ a: 1 }, { a: 2 }]]],
  ['repeat', 'is_empty', {}, [undefined, []], [[{ a: 1 }]]],
  ['repeat', 'is_not_empty', {}, [[{ a: 1 }]], [undefined]],
  ['location', 'is_not_empty', {}, ['1, 2'], [undefined, '']],
  ['number', 'equals', 5, [5, '5.0'], [6, undefined]],
  ['number', 'equals', '5', [5], [0]],
  ['number', 'equals', 0, [0], [undefined, '']],
  ['number', 'does_not_equal', 5, [6, undefined], [5]],
  ['number', 'greater_than', 5, [5.1, 10], [5, undefined]],
  ['number', 'greater_than', '5', [10], [4]],
  ['number', 'less_than', 5, [4], [5, undefined]],
  ['number', 'greater_than_or_equal_to', 5, [5], [4.9]],
  ['number', 'less_than_or_equal_to', 5, [5], [5.1]],
  ['number', 'is_empty', true, [undefined, null], [0]],
  ['number', 'is_not_empty', true, [0], [undefined]],
  ['number', 'content_length_equals', 2, [42], [4, undefined]],
  ['slider', 'greater_than', 1, [2], [1]],
  ['rating', 'greater_than_or_equal_to', 4, [4], [3]],
  ['scale', 'less_than', 4, [3], [4]],
  ['checkbox', 'is_checked', undefined, [true], [false, undefined]],
  ['checkbox', 'is_not_checked', undefined, [false, undefined], [true]],
  ['checkbox', 'equals', true, [true], [false, undefined]],
  ['checkbox', 'equals', false, [false, undefined], [true]],
  ['checkbox', 'does_not_equal', true, [false, undefined], [true]],
  ['select', 'equals', 'A', ['A'], ['B', undefined]],
  ['select', 'does_not_equal', 'A', ['B', undefined], ['A']],
  ['select', 'is_empty', true, [undefined], ['A']],
  ['select', 'is_not_empty', true, ['A'], [undefined]],
  ['multi_select', 'contains', 'A', [['A', 'B']], [['B'], [], undefined]],
  ['multi_select', 'contains', ['A', 'B'], [['B', 'A', 'C']], [['A']]],
  ['multi_select', 'does_not_contain', ['A', 'B'], [['A'], undefined], [['A', 'B']]],
  ['multi_select', 'is_empty', true, [[], undefined], [['A']]],
  ['multi_select', 'is_not_empty', true, [['A']], [[]]],
  ['date', 'equals', '2026-05-01', ['2026-05-01', '2026-05-01T10:00'], ['2026-05-02', undefined]],
  ['date', 'before', '2026-05-01', ['2026-04-30'], ['2026-05-01', '2026-05-01T00:00', undefined]],
  ['date', 'after', '2026-05-01T10:00Z', ['2026-05-01T12:30+02:00'], ['2026-05-01T11:30+02:00']],
  ['date', 'on_or_before', '2026-05-01', ['2026-05-01'], ['2026-05-02']],
  ['date', 'on_or_after', '2026-05-01', ['2026-05-01'], ['2026-04-30']],
  ['date', 'before', 'soon', [], ['2026-04-30']],
  ['date', 'at_least_x_days_ago', 3, ['2026-04-28', '2020-01-01'], ['2026-04-29', undefined]],
  ['date', 'at_least_x_days_from_now', 3, ['2026-05-04'], ['2026-05-03']],
  ['date', 'within_past_x_days', 3, ['2026-04-28', '2026-05-01'], ['2026-04-27', '2026-05-02']],
  ['date', 'within_next_x_days', 3, ['2026-05-01', '2026-05-04'], ['2026-05-05', '2026-04-30']],
  ['date', 'past_week', {}, ['2026-04-24', '2026-05-01'], ['2026-04-23', '2026-05-02']],
  ['date', 'past_month', {}, ['2026-04-01'], ['2026-03-31', '2026-05-02']],
  ['date', 'past_year', {}, ['2025-05-01'], ['2025-04-30']],
  ['date', 'next_week', {}, ['2026-05-08'], ['2026-05-09', '2026-04-30']],
  ['date', 'next_month', {}, ['2026-06-01'], ['2026-06-02']],
  ['date', 'next_year', {}, ['2027-05-01'], ['2027-05-02']],
  ['date', 'is_empty', true, [undefined], ['2026-05-01']],
  ['date', 'is_not_empty', true, ['2026-05-01'], [undefined]],
  ['date', 'matches_regex', '^2026', ['2026-05-01'], ['2025-05-01']],
  ['date', 'does_not_match_regex', '^2026', ['2025-05-01'], ['2026-05-01']],
  ['date', 'after', '2026-05-01', [['2026-05-02', '2026-05-09']], [['2026-05-01', '2026-05-09']]],
  ['files', 'is_empty', true, [[], undefined], [['a.pdf']]],
  ['files', 'is_not_empty', true, [['a.pdf']], [[]]],
  ['matrix', 'equals', { R1: 'A' }, [{ R1: 'A', R2: 'B' }], [{ R1: 'B' }, undefined]],
  ['matrix', 'does_not_equal', { R1: 'A' }, [{ R1: 'B' }, undefined], [{ R1: 'A' }]],
  ['matrix', 'contains', { R1: 'A', R2: 'B' }, [{ R1: 'A', R2: 'C' }], [{ R1: 'C', R2: 'C' }]],
  ['matrix', 'does_not_contain', { R1: 'A' }, [{ R1: 'B' }], [{ R1: 'A' }]],
  ['ranking', 'starts_with', 'A', [['A', 'B']], [['B', 'A'], undefined]],
  ['ranking', 'starts_with', ['A', 'B'], [['A', 'B', 'C']], [['A', 'C', 'B'], ['A']]],
  ['ranking', 'ends_with', 'A', [['B', 'A']], [['A', 'B'], [], undefined]],
  ['ranking', 'equals', ['A', 'B'], [['A', 'B']], [['B', 'A'], undefined]],
  ['ranking', 'does_not_equal', ['A', 'B'], [['B', 'A'], undefined], [['A', 'B']]],
  ['ranking', 'is_empty', true, [[], undefined], [['A']]],
  ['ranking', 'is_not_empty', true, [['A']], [undefined]],
  ['payment', 'paid', true, ['pi_1'], ['x', undefined]],
  ['payment', 'not_paid', true, [undefined], ['pi_1']],
  ['hologram', 'equals', { a: 1 }, [{ a: 1 }], [{ a: 2 }]],
  ['text', 'no_such_operator', 'x', [], ['x']],
];

test.each(OPERATORS)('%s %s %j', (type, operator, value, holds, fails) => {
  for (const answer of holds) expect([answer, meets(type, operator, value, answer)]).toEqual([answer, true]);
  for (const answer of fails) expect([answer, meets(type, operator, value, answer)]).toEqual([answer, false]);
});

test('past_month at the end of a long month keeps inside the short one', () => {
  const context = { properties: [property('date')], engines, now: new Date('2026-03-31T00:00:00Z') };
  const conditions = group(leaf('date', 'past_month', {}));
  expect(conditionsMet(conditions, { x: '2026-02-28' }, context)).toBe(true);
  expect(conditionsMet(conditions, { x: '2026-02-27' }, context)).toBe(false);
});

test('lookups in the stored submissions', () => {
  const context = {
    properties: [property('text')],
    engines,
    existsInSubmissions: ({ value }: { value: JsonValue }) => value === 'a',
  };
  const exists = group(leaf('text', 'exists_in_submissions', true));
  const isNew = group(leaf('text', 'does_not_exist_in_submissions', true));
  expect(conditionsMet(exists, { x: 'a' }, context)).toBe(true);
  expect(conditionsMet(exists, { x: 'b' }, context)).toBe(false);
  expect(conditionsMet(isNew, { x: 'a' }, context)).toBe(false);
  expect(conditionsMet(isNew, {}, context)).toBe(true);
  expect(conditionsMet(isNew, { x: 'a' }, { properties: [], engines })).toBe(true);
});

test('a pattern that makes backtracking engines hang is matched in a moment', async () => {
  await expectCheap(5000, () => {
    expect(meets('text', 'matches_regex', '^(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false);
    expect(meets('text', 'matches_regex', '^(a+)+$', 'a'.repeat(50_000))).toBe(true);
  });
});

describe('groups', () => {
  const context = { properties: [property('text')], engines };
  const isA = leaf('text', 'equals', 'a');
  const isB = leaf('text', 'equals', 'b');

  test('and, or, nested', () => {
    expect(conditionsMet({ operatorIdentifier: 'or', children: [isA, isB] }, { x: 'b' }, context)).toBe(true);
    expect(conditionsMet(group(isA, isB), { x: 'b' }, context)).toBe(false);
    expect(
      conditionsMet(group({ operatorIdentifier: 'or', children: [isA, isB] }), { x: 'a' }, context),
    ).toBe(true);
  });

  test('an empty and always holds, an empty or and null never', () => {
    expect(conditionsMet(group(), {}, context)).toBe(true);
    expect(conditionsMet({ operatorIdentifier: 'or', children: [] }, {}, context)).toBe(false);
    expect(conditionsMet(null, {}, context)).toBe(false);
    expect(conditionsMet(undefined, {}, context)).toBe(false);
  });
});

describe('mentions', () => {
  const mention = (id: string, fallback = '') =>
    `<span mention mention-field-id="${id}" mention-fallback="${fallback}">Name</span>`;
  const properties = [property('text'), property('number', { id: 'n' }), property('text', { id: 'y' })];
  const context = { properties, engines };

  test('stand for the answer of the field', () => {
    const same = group(leaf('text', 'equals', mention('y', 'none')));
    expect(conditionsMet(same, { x: 'a', y: 'a' }, context)).toBe(true);
    expect(conditionsMet(same, { x: 'a', y: 'b' }, context)).toBe(false);
    expect(conditionsMet(same, { x: 'none' }, context)).toBe(true);
  });

  test('keep numbers numbers, and join texts', () => {
    const above = { ...leaf('number', 'greater_than', mention('n')), identifier: 'm' };
    expect(
      conditionsMet(
        group(above),
        { m: 10, n: 9 },
        { ...context, properties: [...properties, property('number', { id: 'm' })] },
      ),
    ).toBe(true);
    const joined = group(leaf('text', 'equals', `${mention('y')}-${mention('n')}!`));
    expect(conditionsMet(joined, { x: 'a-9!', y: 'a', n: 9 }, context)).toBe(true);
  });
});

describe('effective state', () => {
  const always = group();
  const states: [Partial<Property>, string[], { hidden: boolean; required: boolean }][] = [
    [{ required: true }, ['make-it-optional'], { hidden: false, required: false }],
    [{ required: true }, ['hide-block'], { hidden: true, required: false }],
    [{}, ['require-answer'], { hidden: false, required: true }],
    [{ hidden: true }, ['show-block', 'require-answer'], { hidden: false, required: true }],
    [{}, ['hide-block'], { hidden: true, required: false }],
    [{ required: true }, ['disable-block'], { hidden: false, required: true }],
  ];

  test.each(states)('%j with %j', (base, actions, state) => {
    const block = property('text', { ...base, logic: { conditions: always, actions } });
    expect(effectiveState(block, {}, { properties: [block], engines })).toMatchObject(state);
    const unmet = property('text', {
      ...base,
      logic: { conditions: { operatorIdentifier: 'or', children: [] }, actions },
    });
    expect(effectiveState(unmet, {}, { properties: [unmet], engines })).toMatchObject({
      hidden: base.hidden === true,
      required: base.required === true,
    });
  });
});

describe('condition checks', () => {
  test.each([
    ['31/12/2026', false],
    ['2026-02-30', false],
    ['', false],
    ['2026-12-31', true],
    ['2026-12-31 10:00', true],
  ])('the value of a date condition is a date: %j', (value, isOne) => {
    const found = checkConditions(group(leaf('date', 'after', value)), [property('date')], engines);
    expect(found).toEqual(isOne ? [] : ['wrong type of condition value']);
  });

  const properties = [property('text'), property('hologram', { id: 'h' })];
  const nested = (depth: number): ConditionGroup => (depth === 0 ? group() : group(nested(depth - 1)));

  test.each<[unknown, string[]]>([
    [null, []],
    [undefined, []],
    [{}, []],
    [[], []],
    [group(), []],
    [group(leaf('text', 'equals', 'a'), { operatorIdentifier: 'or', children: [] }), []],
    [group(leaf('text', 'equals', '')), []],
    [group(leaf('text', 'is_empty')), []],
    [group(leaf('text', 'equals')), ['missing condition value']],
    [group(leaf('text', 'equals', 5)), ['wrong type of condition value']],
    [group(leaf('text', 'content_length_equals', 'many')), ['wrong type of condition value']],
    [group(leaf('text', 'matches_regex', '(')), ['invalid regex pattern']],
    [group(leaf('text', 'matches_regex', 'a{0,1000}'.repeat(3))), ['invalid regex pattern']],
    [group(leaf('text', 'greater_than', 5)), ['configuration not found for condition operator']],
    [
      group({ ...leaf('nope', 'equals', 'a'), identifier: 'z' }),
      ['configuration not found for condition type'],
    ],
    [
      group({
        identifier: 'h',
        value: { operator: 'equals', property_meta: { id: 'h', type: 'hologram' }, value: 1 },
      }),
      [],
    ],
    [group(leaf('signature', 'is_empty', true)), []],
    [{ operatorIdentifier: 'xor', children: [] }, ['missing operator']],
    [{ children: [] }, ['missing operator']],
    [{ operatorIdentifier: 'and', children: 'x' }, ['wrong sub-condition type']],
    [
      { operatorIdentifier: 'and', children: [5, null] },
      ['wrong sub-condition type', 'wrong sub-condition type'],
    ],
    [group({ identifier: 'x' } as never), ['missing condition body']],
    [group({ value: { operator: 'equals', value: 'a' } } as never), ['missing condition property']],
    [
      group({
        identifier: 'x',
        value: { operator: 'equals', property_meta: { id: 'x' }, value: 'a' },
      } as never),
      ['missing condition property type'],
    ],
    [
      group({ identifier: 'x', value: { property_meta: { id: 'x', type: 'text' }, value: 'a' } } as never),
      ['missing condition operator'],
    ],
    ['text', ['wrong sub-condition type']],
    [nested(MAX_GROUP_DEPTH), ['conditions nested too deeply']],
    [nested(MAX_GROUP_DEPTH - 1), []],
  ])('%j: %j', (conditions, details) => {
    expect(checkConditions(conditions, properties, engines)).toEqual(details);
  });

  test('a tree of a million levels does not exhaust the stack', () => {
    let tree: unknown = group();
    for (let level = 0; level < 1_000_000; level += 1) tree = { operatorIdentifier: 'and', children: [tree] };
    expect(checkConditions(tree, properties, engines)).toEqual(['conditions nested too deeply']);
    expect(conditionsMet(tree as ConditionGroup, {}, { properties, engines })).toBe(false);
  });

  test('conditions of unknown types and with unknown operators never hold', () => {
    const conditions = group(
      { ...leaf('nope', 'equals', 'a'), identifier: 'z' },
      leaf('text', 'resembles', 'a'),
    );
    expect(conditionsMet(conditions, { x: 'a', z: 'a' }, { properties, engines })).toBe(false);
  });
});

describe('property logic checks', () => {
  const conditions = group(leaf('text', 'equals', 'a'));
  const actions = 'The logic actions for X are not valid.';
  const check = (type: string, options: Partial<Property>) =>
    checkPropertyLogic(property(type, options), [property('text')], engines);

  test.each<[string, Partial<Property>, string[]]>([
    ['text', {}, []],
    ['text', { logic: null }, []],
    ['text', { logic: { conditions: null, actions: [] } }, []],
    ['text', { logic: { conditions, actions: ['require-answer'] } }, []],
    ['text', { logic: { conditions, actions: [] } }, [actions]],
    ['text', { logic: { conditions, actions: ['explode'] } }, [actions]],
    ['text', { hidden: true, logic: { conditions, actions: ['hide-block'] } }, [actions]],
    ['text', { hidden: true, logic: { conditions, actions: ['show-block', 'require-answer'] } }, []],
    ['text', { required: true, logic: { conditions, actions: ['require-answer'] } }, [actions]],
    ['text', { required: true, logic: { conditions, actions: ['hide-block', 'disable-block'] } }, []],
    ['text', { disabled: true, logic: { conditions, actions: ['hide-block'] } }, [actions]],
    ['text', { disabled: true, logic: { conditions, actions: ['enable-block'] } }, []],
    ['nf-text', { logic: { conditions, actions: ['hide-block'] } }, []],
    ['nf-text', { logic: { conditions, actions: ['require-answer'] } }, [actions]],
    [
      'text',
      { logic: { conditions: group(leaf('text', 'equals')), actions: ['hide-block'] } },
      ['The logic conditions for X are not complete. Error detail(s): missing condition value'],
    ],
  ])('%s %j', (type, options, messages) => {
    expect(check(type, options)).toEqual(messages);
  });
});
