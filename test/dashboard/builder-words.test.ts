import { describe, expect, test } from 'vitest';
import { asFields } from '../../dashboard/calculations/fields.ts';
import { KINDS, kindOf, newBlock, searchKinds } from '../../dashboard/form-builder/blocks/kinds.ts';
import {
  addTo,
  changeAt,
  newCondition,
  newGroup,
  readGroup,
} from '../../dashboard/form-builder/logic/condition-tree.ts';
import {
  fieldsById,
  logicSentence,
  mentionedField,
  mentionOf,
  operatorsFor,
  validationSentence,
} from '../../dashboard/form-builder/logic/logic-words.ts';
import {
  contentOptions,
  lookOptions,
  stateOptions,
} from '../../dashboard/form-builder/options/block-options.ts';
import { problemsOf } from '../../dashboard/form-builder/publishing/problems.ts';
import { readFormJson } from '../../dashboard/templates/read-json.ts';
import { TEMPLATES } from '../../dashboard/templates/templates.ts';
import { checkProperties } from '../../fields/check-properties.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { Condition, ConditionGroup, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { INPUT_TYPES } from '../../fields/type-names.ts';

const block = (id: string, more: Partial<Property> = {}): Property => ({
  id,
  type: 'text',
  name: id,
  ...more,
});
const condition = (id: string, operator: string, value: unknown, type = 'text'): Condition => ({
  identifier: id,
  value: { operator, property_meta: { id, type }, value: value as string },
});
const all = (...children: (Condition | ConditionGroup)[]): ConditionGroup => ({
  operatorIdentifier: 'and',
  children,
});
const any = (...children: (Condition | ConditionGroup)[]): ConditionGroup => ({
  operatorIdentifier: 'or',
  children,
});
const topic = block('topic', {
  name: 'Topic',
  type: 'select',
  select: {
    options: [
      { id: '1', name: 'Sales' },
      { id: '2', name: 'Support' },
    ],
  },
});
const age = block('age', { name: 'Age', type: 'number' });
const byId = new Map([topic, age].map((one) => [one.id, one]));
const withLogic = (conditions: ConditionGroup, actions: string[], more: Partial<Property> = {}) =>
  block('x', { logic: { conditions, actions }, ...more });

import { expectCheap } from '../setup/processor-time.ts';

describe('sentences', () => {
  test.each([
    [all(condition('topic', 'equals', 'Support')), ['show-block'], 'Show only when Topic is Support'],
    [
      all(condition('age', 'greater_than', 18)),
      ['hide-block', 'make-it-optional'],
      'Hide and make optional when Age is greater than 18',
    ],
    [
      any(
        condition('topic', 'is_empty', true),
        all(condition('age', 'equals', 1), condition('topic', 'equals', 'Sales')),
      ),
      ['require-answer'],
      'Require when Topic is empty or (Age is 1 and Topic is Sales)',
    ],
    [all(condition('gone', 'equals', 'x')), ['show-block'], 'Show only when a deleted field is x'],
    [
      all(condition('age', 'equals', mentionOf('topic'))),
      ['show-block'],
      'Show only when Age is the answer to Topic',
    ],
    [all(), ['show-block'], 'Show always'],
    [all(condition('topic', 'equals', '')), [], 'Change nothing when Topic is …'],
  ])('%#', (conditions, actions, sentence) => {
    const hidden = actions.includes('show-block');
    const required = actions.includes('make-it-optional');
    expect(logicSentence(withLogic(conditions, actions, { hidden, required }), byId)).toBe(sentence);
  });

  test('say nothing of actions that change nothing', () => {
    const sentence = (actions: string[], more = {}) =>
      logicSentence(withLogic(all(condition('topic', 'equals', 'Sales')), actions, more), byId);
    expect(sentence(['show-block'])).toBe('Change nothing when Topic is Sales');
    expect(sentence(['show-block', 'require-answer'])).toBe('Require when Topic is Sales');
    expect(sentence(['show-block', 'require-answer'], { hidden: true })).toBe(
      'Show and require only when Topic is Sales',
    );
  });

  test('of blocks without rules there are none', () => {
    expect(logicSentence(topic, byId)).toBeNull();
    expect(validationSentence(topic, byId)).toBeNull();
  });

  test('of validation', () => {
    const rule = { error_conditions: { conditions: all(condition('age', 'greater_than_or_equal_to', 18)) } };
    expect(validationSentence(block('x', { validation: rule }), byId)).toBe(
      'Accept only when Age is at least 18',
    );
  });

  test('calculations are named, as what is worked out; those that are gone are said to be none', () => {
    const asked = (value: unknown, id = 'cv_sum', operator = 'greater_than') =>
      withLogic(all(condition(id, operator, value, 'computed')), ['show-block'], { hidden: true });
    const blocks = fieldsById([age], asFields([{ id: 'cv_sum', name: 'Sum', formula: '{age}' }]));
    expect(logicSentence(asked(5), blocks)).toBe('Show only when Sum is greater than 5');
    expect(logicSentence(asked(mentionOf('cv_sum'), 'age'), blocks)).toMatch(/than the result of Sum$/);
    expect(logicSentence(asked(true, 'cv_sum', 'is_empty'), blocks)).toBe('Show only when Sum has no value');
    expect(logicSentence(asked(mentionOf('cv_gone'), 'cv_gone'), blocks)).toBe(
      'Show only when a deleted calculation is greater than the answer to a deleted calculation',
    );
  });

  test('questions are quoted', () => {
    const asked = new Map([['q', block('q', { name: 'How old are you?' })]]);
    expect(logicSentence(withLogic(all(condition('q', 'is_empty', true)), ['hide-block']), asked)).toBe(
      'Hide when “How old are you?” is empty',
    );
  });

  test('every operator of every type has words, and a condition that is complete once its value is said', () => {
    for (const { type } of KINDS) {
      const field = newBlock(KINDS.find((kind) => kind.type === type)!);
      for (const operator of operatorsFor(field, { isValidation: true })) {
        const sentence = logicSentence(
          withLogic(all(condition(field.id, operator, 1, type)), ['show-block']),
          new Map([[field.id, field]]),
        );
        expect(sentence, operator).not.toContain('_');
      }
    }
  });
});

describe('condition trees', () => {
  const root = all(condition('age', 'equals', 1), any(condition('topic', 'equals', 'Sales')));

  test('are changed at a place and nowhere else', () => {
    const next = changeAt(root, [1, 0], () => condition('topic', 'equals', 'Support'));
    expect(next.children[0]).toBe(root.children[0]);
    expect(JSON.stringify(next)).toContain('Support');
    expect(changeAt(root, [1], () => null).children).toHaveLength(1);
    expect(addTo(root, [1], condition('age', 'equals', 2)).children[1]).toMatchObject({
      children: { length: 2 },
    });
  });

  test('what cannot be read is left out', () => {
    expect(readGroup(null)).toBeNull();
    expect(readGroup({ operatorIdentifier: 'and', children: [null, 5, { value: null }] })).toEqual(
      newGroup(),
    );
  });

  test('new conditions are accepted by the service once their value is said', () => {
    for (const { type } of KINDS) {
      const field = newBlock(KINDS.find((kind) => kind.type === type)!);
      if (fieldTypeOf(type).operators.length === 0) continue;
      const fresh = newCondition(field);
      const said =
        fresh.value.value === ''
          ? { ...fresh, value: { ...fresh.value, value: type === 'date' ? '2026-01-01' : '1' } }
          : fresh;
      const errors = checkProperties([field, withLogic(all(said), ['hide-block'])], serverEngines);
      expect(
        Object.keys(errors).filter((key) => key.startsWith('properties.1')),
        type,
      ).toEqual([]);
    }
  });

  test('a mention is read back', () => {
    expect(mentionedField(mentionOf('topic'))).toBe('topic');
    expect(mentionedField('plain')).toBeNull();
  });
});

describe('kinds and options', () => {
  test('new blocks are what they were made as, and the service takes them', () => {
    for (const kind of KINDS) {
      const made = newBlock(kind);
      expect(kindOf(made)?.key).toBe(kind.key);
      // Pictures need names first.
      const errors = kind.key === 'pictures' ? {} : checkProperties([made], serverEngines);
      expect(errors, kind.key).toEqual({});
    }
  });

  test('exist for every type but the one of calculations', () => {
    const offered = new Set(KINDS.map(({ type }) => type));
    expect(INPUT_TYPES.filter((type) => !offered.has(type))).toEqual(['computed']);
  });

  test('are the first that are found by their own name', () => {
    expect(KINDS.filter((kind) => searchKinds(kind.label)[0] !== kind)).toEqual([]);
    expect(searchKinds('numb')[0]?.key).toBe('number');
  });

  test('are found by other words', () => {
    expect(searchKinds('phone')[0]?.key).toBe('phone');
    expect(searchKinds('toggle').map(({ key }) => key)).toEqual(['switch']);
    expect(searchKinds('nps').map(({ key }) => key)).toEqual(['scale']);
    expect(searchKinds('xyz')).toEqual([]);
  });

  test('no option is asked twice', () => {
    for (const kind of KINDS) {
      const made = { ...newBlock(kind), help: 'x', max_char_limit: 5, input_mask: '9' };
      const keys = [...contentOptions(made), ...stateOptions(made), ...lookOptions(made)].map(
        ({ key }) => key,
      );
      expect(new Set(keys).size, kind.key).toBe(keys.length);
    }
  });
});

describe('problems', () => {
  const texts = (...properties: Property[]) =>
    problemsOf({ title: 'T', description: null, submit_button_text: null, properties }).map(
      ({ text }) => text,
    );

  test('a sound form has none', () => {
    expect(
      texts(
        topic,
        age,
        withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['show-block'], { hidden: true }),
      ),
    ).toEqual([]);
  });

  test.each<[string, Property[], RegExp]>([
    ['nothing asked', [], /asks nothing/],
    ['no name', [block('a', { name: '' })], /no name/],
    ['no options', [block('a', { type: 'select', select: { options: [] } })], /no options/],
    [
      'an option without a name',
      [block('a', { type: 'select', select: { options: [{ id: '1', name: '' }] } })],
      /option has no name/,
    ],
    [
      'a deleted field',
      [age, withLogic(all(condition('gone', 'equals', 'x')), ['hide-block'])],
      /was deleted/,
    ],
    ['required and hidden', [block('a', { required: true, hidden: true })], /required but always hidden/],
    [
      'an option that is gone',
      [
        topic,
        withLogic(all(condition('topic', 'equals', 'Press', 'select')), ['show-block'], { hidden: true }),
      ],
      /no option “Press”/,
    ],
    [
      'two at once',
      [
        topic,
        withLogic(
          all(
            condition('topic', 'equals', 'Sales', 'select'),
            condition('topic', 'equals', 'Support', 'select'),
          ),
          ['show-block'],
          { hidden: true },
        ),
      ],
      /cannot be both/,
    ],
    [
      'asked later',
      [
        withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['show-block'], { hidden: true }),
        block('p', { type: 'nf-page-break' }),
        topic,
      ],
      /later page/,
    ],
    ['an empty page', [age, block('p', { type: 'nf-page-break' })], /Page 2 is empty/],
    [
      'an unfinished condition',
      [age, withLogic(all(condition('age', 'equals', '', 'number')), ['hide-block'])],
      /not complete/,
    ],
    ['a text without a text', [block('a', { type: 'nf-text', content: '<p> <br></p>' })], /no text yet/],
    [
      'what is shown anyway',
      [topic, withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['show-block'])],
      /shown anyway\. Tick “Show it”/,
    ],
    [
      'a text that is shown anyway',
      [
        topic,
        withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['show-block'], {
          type: 'nf-text',
          content: '<p>Hi</p>',
        }),
      ],
      /shown anyway/,
    ],
    [
      'what is optional anyway',
      [topic, withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['make-it-optional'])],
      /it is so anyway/,
    ],
    [
      'what is hidden anyway',
      [
        topic,
        withLogic(all(condition('topic', 'equals', 'Sales', 'select')), ['require-answer'], { hidden: true }),
      ],
      /always hidden, so nobody sees/,
    ],
    ['no actions', [age, withLogic(all(condition('age', 'equals', 1, 'number')), [])], /does nothing/],
  ])('%s', (_, properties, expected) => {
    expect(texts(...properties).join('\n')).toMatch(expected);
  });

  test('a calculation is no field that was deleted, but one that is gone is; so is what it counts with', () => {
    const asks = (id: string) =>
      withLogic(all(condition(id, 'equals', '5', 'computed')), ['show-block'], { hidden: true });
    const texts = (asked: string, formula: string) =>
      problemsOf(
        { title: 'T', description: null, submit_button_text: null, properties: [age, asks(asked)] },
        { calculations: [{ id: 'cv_sum', name: 'Sum', formula }] },
      ).map(({ text }) => text);
    expect(texts('cv_sum', '{age} * 2')).toEqual([]);
    expect(texts('cv_gone', '"{gone}"')).toEqual([
      'Its logic asks about a calculation that was deleted.',
      'It can never be shown: it asks about a calculation that was deleted.',
    ]);
    expect(texts('cv_sum', '{gone} * {cv_sum}')).toEqual([
      'The calculation “Sum” counts with a question that was deleted, as if nobody answered it.',
    ]);
  });

  describe('an amount to pay', () => {
    const number = (id: string, more: Partial<Property> = {}) => block(id, { type: 'number', ...more });
    const mention = (id: string) => `<span mention mention-field-id="${id}">it</span>`;
    const fee = (amount: string | number, more: Partial<Property> = {}) =>
      block('fee', { type: 'payment', amount, currency: 'EUR', ...more });
    const inputs = [
      number('tickets'),
      number('sure', { number_min_value: 0 }),
      number('other'),
      block('slider', { type: 'slider', slider_min_value: -5 }),
      block('rating', { type: 'rating' }),
      block('items', {
        type: 'repeat',
        questions: [
          { id: 'what', type: 'text', name: 'What' },
          { id: 'price', type: 'number', name: 'Price' },
        ],
      }),
    ];
    const found = (properties: Property[], formulas: Record<string, string> = {}) => {
      const calculations = Object.entries(formulas).map(([id, formula]) => ({ id, name: id, formula }));
      return problemsOf(
        { title: 'T', description: null, submit_button_text: null, properties },
        { calculations },
      ).map(({ blockId, text, isBlocking }) => [blockId, text, isBlocking]);
    };
    const BELOW_ZERO =
      'The amount to pay depends on it, and it takes numbers below 0. Set “Lowest” to 0 or more.';
    const OPEN =
      'The amount to pay depends on it, and anybody can set it by the address of the form. Put prices into a calculation.';

    test('that a number below zero makes less, also by way of calculations and of repeated questions', () => {
      expect(found([...inputs, fee(mention('tickets'))])).toEqual([['tickets', BELOW_ZERO, false]]);
      expect(found([...inputs, fee(mention('sure'))])).toEqual([]);
      expect(found([...inputs, fee(12.5)], { cv_unused: '{tickets}' })).toEqual([]);
      const formulas = {
        cv_total: 'SUM({items.price}) + {cv_part}',
        cv_part: '{tickets} * 20 + {sure} + {slider} + {rating}',
      };
      expect(found([...inputs, fee(mention('cv_total'))], formulas)).toEqual([
        ['tickets', BELOW_ZERO, false],
        ['slider', BELOW_ZERO, false],
        ['items', `Question 2: ${BELOW_ZERO}`, false],
      ]);
    });

    test('that a field decides about which nobody sees, and anybody can set', () => {
      const hidden = number('price', { hidden: true, prefill: 50, number_min_value: 0 });
      const locked = number('rebate', { disabled: true, prefill: 1, number_min_value: 0 });
      const formulas = { cv_total: '{price} * {sure} / {rebate}' };
      expect(found([hidden, locked, ...inputs, fee(mention('cv_total'))], formulas)).toEqual([
        ['price', `It is hidden. ${OPEN}`, false],
        ['rebate', `It cannot be changed on the page. ${OPEN}`, false],
      ]);
      // What logic shows is seen, and does not count otherwise.
      const shown = {
        ...hidden,
        logic: { conditions: all(condition('tickets', 'equals', 3, 'number')), actions: ['show-block'] },
      };
      expect(found([...inputs, shown, fee(mention('price'))])).toEqual([]);
      // It may also decide whether anything is to be paid.
      const member = block('member', { hidden: true });
      const logic = { conditions: all(condition('member', 'equals', 'yes')), actions: ['hide-block'] };
      expect(found([member, fee(12.5, { logic })])).toEqual([['member', `It is hidden. ${OPEN}`, false]]);
      const page = block('page', { type: 'nf-page-break', logic });
      expect(found([...inputs, member, page, fee(12.5)])).toEqual([
        ['member', `It is hidden. ${OPEN}`, false],
      ]);
    });
  });

  test('a calculation that asks for an option which is gone, or is called otherwise now', () => {
    const choice = (type: string, ...names: string[]) =>
      block(type, { type, [type]: { options: names.map((name) => ({ id: name, name })) } });
    const properties = [choice('select', 'Jupiter', 'Mars'), choice('multi_select', '2', '11')];
    const asked = (formula: string, blocks = properties) =>
      problemsOf(
        { title: 'T', description: null, submit_button_text: null, properties: blocks },
        { calculations: [{ id: 'cv_score', name: 'Score', formula }] },
      ).map(({ blockId, text }) => [blockId, /asks for “(.*)”, which is none/.exec(text)?.[1] ?? text]);
    expect(asked('IF({select} = "Jupiter", 1, 0) + IF("mars" <> {select}, 1, 0)')).toEqual([]);
    expect(asked('CONTAINS({multi_select}, "2") + COUNT({multi_select}) + ISBLANK({select} = "")')).toEqual(
      [],
    );
    expect(asked('IF({select} = "Saturn", "Venus", \'{select} = "Pluto"\')')).toEqual([['select', 'Saturn']]);
    expect(asked('"Earth" = {select}')).toEqual([['select', 'Earth']]);
    expect(asked("contains({multi_select}, '15')")).toEqual([['multi_select', '15']]);
    expect(asked('SWITCH({select}, "Venus", MAX(1, 2), "Mars", "Moon", "Sun", 3, "Other")')).toEqual([
      ['select', 'Venus'],
      ['select', 'Sun'],
    ]);
    // Parts of a text, a list as one text, and options that people may write themselves can be anything.
    expect(asked('CONTAINS({select}, "up") + ({multi_select} = "2, 11") + (1 = ')).toEqual([]);
    const open = properties.map((one) => ({ ...one, allow_creation: true }));
    expect(asked('{select} = "Pluto"', open)).toEqual([]);
  });

  test('an integration that sends nothing any more, as its condition asks for what is gone, told once', () => {
    const definition = { title: 'T', description: null, submit_button_text: null, properties: [topic, age] };
    const told = (...conditions: object[]) =>
      problemsOf(definition, {
        calculations: [{ id: 'cv_sum', name: 'Sum', formula: '1' }],
        integrations: conditions.map((logic) => ({
          integration_id: 'webhook',
          data: {},
          logic: logic as never,
        })),
      }).map(({ text }) => text);
    const sales = condition('topic', 'equals', 'Sales', 'select');
    const gone = condition('topic', 'equals', 'Gone', 'select');
    const sum = condition('cv_sum', 'equals', '1', 'computed');
    expect(told(all(sales, sum), all(condition('topic', 'does_not_equal', 'Gone', 'select')))).toEqual([]);
    expect(told(all(sales, gone), all(gone))).toEqual([
      'The integration “Webhook” sends nothing any more: “Topic” has no option “Gone”.',
    ]);
    expect(told(all(condition('deleted', 'equals', 'x')))).toEqual([
      'The integration “Webhook” sends nothing any more: it asks about a field that was deleted.',
    ]);
  });

  test('a confirmation by mail to an e-mail field that is gone', () => {
    const mail = block('mail', { type: 'email' });
    const told = (...properties: Property[]) =>
      problemsOf(
        { title: 'T', description: null, submit_button_text: null, properties: [age, ...properties] },
        {
          integrations: [
            { integration_id: 'email_confirmation', data: { recipient_field: 'mail' }, logic: null },
          ],
        },
      ).map(({ text }) => text);
    expect(told(mail)).toEqual([]);
    for (const gone of [told(), told({ ...mail, type: 'text' })])
      expect(gone).toEqual([
        'The integration “Confirmation by mail” sends nothing any more: the e-mail field with the address is gone.',
      ]);
  });

  test('an ending that is not reached any more', () => {
    const definition = { title: 'T', description: null, submit_button_text: null, properties: [topic, age] };
    const ending = (name: string, option: string) => ({
      name,
      conditions: all(condition('topic', 'equals', option, 'select')) as never,
    });
    const found = problemsOf(definition, { endings: [ending('Sold', 'Sales'), ending('Lost', 'Gone')] });
    expect(found.map(({ text }) => text)).toEqual([
      'The ending “Lost” is not reached any more: “Topic” has no option “Gone”.',
    ]);
  });

  test('a condition that the API stored without a group', () => {
    const definition = { title: 'T', description: null, submit_button_text: null, properties: [topic, age] };
    const alone = condition('topic', 'equals', 'Gone', 'select');
    const found = problemsOf(definition, { endings: [{ name: 'Alone', conditions: alone as never }] });
    expect(found.map(({ text }) => text)).toEqual([
      'The ending “Alone” is not reached any more: “Topic” has no option “Gone”.',
    ]);
    expect(readGroup(alone)).toEqual(all(alone));
  });

  test('an ending whose question was turned into another kind', () => {
    const turned = { ...topic, type: 'multi_select', multi_select: topic.select };
    const definition = { title: 'T', description: null, submit_button_text: null, properties: [turned, age] };
    const asking = (name: string, operator: string) => ({
      name,
      conditions: all(condition('topic', operator, 'Sales', 'select'), sum) as never,
    });
    const sum = condition('cv_sum', 'equals', 1, 'computed');
    const found = problemsOf(definition, {
      calculations: [{ id: 'cv_sum', name: 'Sum', formula: '1' }],
      endings: [asking('One', 'equals'), asking('Not one', 'does_not_equal'), asking('Several', 'contains')],
    });
    expect(found.map(({ text }) => text)).toEqual([
      'The ending “One” is not reached any more: “Topic” was turned into another kind of question.',
      'The ending “Not one” is not reached any more: “Topic” was turned into another kind of question.',
    ]);
  });

  test('only what the service refuses is in the way', () => {
    const found = problemsOf({
      title: ' ',
      description: null,
      submit_button_text: null,
      properties: [block('a', { required: true, hidden: true })],
    });
    expect(found.map(({ isBlocking }) => isBlocking)).toEqual([true, false]);
  });

  test.each([
    ['^\\S+\\@\\S+$', true],
    ['^\\d{3}\\-\\d{2}$', true],
    ['a}', true],
    ['\\u0041', false],
    ['(?=a)', false],
    ['(', false],
  ])('a pattern is read as the service reads it: %s', (pattern, isValid) => {
    const properties = [
      block('a'),
      block('b', {
        logic: { conditions: all(condition('a', 'matches_regex', pattern)), actions: ['hide-block'] },
      }),
    ];
    const form = { title: 'T', description: null, submit_button_text: null, properties };
    expect(problemsOf(form).every(({ isBlocking }) => !isBlocking)).toBe(isValid);
    expect(Object.keys(checkProperties(properties, serverEngines)).length === 0).toBe(isValid);
  });

  test('200 blocks are judged while one types', async () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      block(`b${n}`, { logic: { conditions: all(condition('b0', 'equals', 'x')), actions: ['hide-block'] } }),
    );
    await expectCheap(200, () => texts(...many));
  });
});

describe('templates', () => {
  test('there are about fifteen, each with a name of its own', () => {
    expect(TEMPLATES.length).toBeGreaterThanOrEqual(15);
    expect(new Set(TEMPLATES.map(({ key }) => key)).size).toBe(TEMPLATES.length);
  });

  test.each(TEMPLATES.map((template) => [template.key, template] as const))('%s is sound', (_, { form }) => {
    expect(checkProperties(form.properties, serverEngines)).toEqual({});
    expect(problemsOf({ description: null, submit_button_text: null, ...form })).toEqual([]);
    expect(form.title.length).toBeLessThanOrEqual(60);
  });
});

test('a template that says how long answers are kept keeps them as long', () => {
  for (const { key, form } of TEMPLATES) {
    const kept = /keep your \w+ for (\w+) (\w+)s/.exec(JSON.stringify(form));
    expect(form.submission_retention_unit, key).toBe(kept?.[2]);
    expect(form.submission_retention_value, key).toBe(kept ? { six: 6 }[kept[1] ?? ''] : undefined);
  }
});

describe('forms as JSON', () => {
  test('as the API answers them, as blocks alone, and one level below', () => {
    const properties = [block('a')];
    expect(readFormJson(JSON.stringify({ title: 'T', slug: 's', properties }))).toEqual({
      form: { title: 'T', properties },
    });
    expect(readFormJson(JSON.stringify(properties))).toEqual({
      form: { title: 'Imported form', properties },
    });
    expect(readFormJson(JSON.stringify({ form: { title: 'T', properties } }))).toMatchObject({
      form: { title: 'T' },
    });
  });

  test('anything else says why not', () => {
    expect(readFormJson('{')).toHaveProperty('problem');
    expect(readFormJson('{"a":1}')).toHaveProperty('problem');
    expect(readFormJson('null')).toHaveProperty('problem');
  });
});
