import { beforeAll, describe, expect, test } from 'vitest';
import { countAnswers } from '../../server/statistics/count-answers.ts';
import { readWorkbook, valuesOf } from '../exports/xlsx-reader.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

/** An order given as an answer, wherever it goes from the page: stored, found, counted, exported and delivered. */
const home = useHome();
const OPTIONS = { options: ['Apple', 'Pear', 'Plum'].map((name) => ({ id: name, name })) };
const FRUIT = aField('a1', 'ranking', 'Fruit', { ranking: OPTIONS });
const ORDERS = [
  ['Plum', 'Apple', 'Pear'],
  ['Plum', 'Pear', 'Apple'],
  ['Pear', 'Plum', 'Apple'],
];

const receiver = useWebhookReceiver();
let form: any;

beforeAll(async () => {
  form = await home.form({ properties: [FRUIT], editable_submissions: true });
});

test('a form is saved, read and copied with it, and refused where its options cannot be ranked', async () => {
  const path = `/open/forms/${form.id}`;
  expect((await home.call('PUT', path, { properties: form.properties })).status).toBe(200);
  expect((await home.call('GET', path)).body.properties).toEqual(form.properties);
  const copy = await home.call('POST', `${path}/duplicate`);
  expect(copy.body.properties ?? copy.body.new_form.properties).toMatchObject([{ ranking: OPTIONS }]);
  for (const [ranking, key] of [
    [{ options: [] }, 'properties.0.ranking.options'],
    [{ options: [{ id: 'a', name: '' }] }, 'properties.0.ranking.options.0.name'],
    [{ options: Array.from({ length: 51 }, (_, index) => `${index}`) }, 'properties.0.ranking.options'],
  ] as const)
    expectInvalid(await home.call('PUT', path, { properties: [{ ...FRUIT, ranking }] }), key, 'properties');
});

test('it may be left out, and is refused where it is no order of all options', async () => {
  const empty = await home.form({ properties: [FRUIT] });
  for (const nothing of [undefined, null, []])
    expect((await home.submit(empty, { [FRUIT.id]: nothing })).status).toBe(200);
  expect((await home.records(empty)).map(({ data }) => data[FRUIT.id])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const [answer, message] of [
    [['Plum'], 'Not ranked: Apple, Pear'],
    [['Plum', 'Pear', 'Apple', 'Plum'], 'Ranked more than once: Plum'],
    [['Plum', 'Pear', 'Kiwi'], 'The selected Fruit is invalid.'],
    ['Plum', 'The Fruit must be an array.'],
    [7, 'The Fruit must be an array.'],
  ] as const)
    expect(expectInvalid(await home.submit(empty, { [FRUIT.id]: answer }), FRUIT.id)[FRUIT.id]).toEqual([
      message,
    ]);
});

describe('of three answers', () => {
  beforeAll(async () => {
    for (const order of ORDERS) expect((await home.submit(form, { [FRUIT.id]: order })).status).toBe(200);
  });

  test.each([
    ['starts_with', 'Plum', [1, 0]],
    ['ends_with', 'Apple', [2, 1]],
    ['equals', 'Pear, Plum, Apple', [2]],
    ['does_not_equal', 'Pear, Plum, Apple', [1, 0]],
    ['is_not_empty', '', [2, 1, 0]],
  ])('%s %s finds these', async (operator, value, expected) => {
    const query = new URLSearchParams({ [`filter[${FRUIT.id}][${operator}]`]: value });
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?${query}`);
    expect(body.data.map(({ data }: any) => data[FRUIT.id])).toEqual(expected.map((index) => ORDERS[index]));
  });

  test('a list of these is asked for nothing that all would meet', async () => {
    const query = new URLSearchParams({ [`filter[${FRUIT.id}][contains]`]: 'Plum' });
    expect((await home.call('GET', `/open/forms/${form.id}/submissions?${query}`)).status).toBe(422);
  });

  test('exports join the names in their order', async () => {
    const columns = { [FRUIT.id]: true };
    const path = `/open/forms/${form.id}/submissions/export`;
    const csv = await home.call('POST', path, { columns });
    expect(csv.text).toBe('Fruit\n"Pear, Plum, Apple"\n"Plum, Pear, Apple"\n"Plum, Apple, Pear"\n');
    const file = await fetch(home.service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ columns, format: 'xlsx' }),
    });
    const rows = valuesOf(readWorkbook(Buffer.from(await file.arrayBuffer())));
    expect(rows).toEqual([['Fruit'], ...ORDERS.map((order) => [order.join(', ')])]);
  });

  test('statistics have the average place of each, the best first, whether counted already or not', async () => {
    const ranking = async () => {
      const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields`);
      expect(body.uncounted).toBe(0);
      return body.fields[0];
    };
    const expected = {
      answered: 3,
      ranking: [
        { value: 'Plum', mean: 4 / 3, first: 2, count: 3 },
        { value: 'Pear', mean: 2, first: 1, count: 3 },
        { value: 'Apple', mean: 8 / 3, first: 0, count: 3 },
      ],
    };
    expect(await ranking()).toMatchObject(expected);
    await countAnswers(home.service.context.db);
    expect(await ranking()).toMatchObject(expected);
    const [newest] = await home.records(form);
    const path = `/open/forms/${form.id}/submissions/${newest.id}`;
    const changed = { [FRUIT.id]: ['Plum', 'Pear', 'Apple'] };
    expect((await home.call('PUT', path, changed)).status).toBe(200);
    expect((await ranking()).ranking[0]).toEqual({ value: 'Plum', mean: 1, first: 3, count: 3 });
    expect((await home.call('DELETE', path)).status).toBe(200);
    expect(await ranking()).toMatchObject({
      answered: 2,
      ranking: [
        { value: 'Plum', mean: 1, first: 2, count: 2 },
        { value: 'Apple', mean: 2.5, first: 0, count: 2 },
        { value: 'Pear', mean: 2.5, first: 0, count: 2 },
      ],
    });
  });
});

test('an integration is sent the list, where its condition about the first place holds', async () => {
  const own = await home.form({ properties: [FRUIT] });
  const condition = {
    identifier: FRUIT.id,
    value: { operator: 'starts_with', property_meta: { id: FRUIT.id, type: 'ranking' }, value: 'Pear' },
  };
  const added = await home.call('POST', `/open/forms/${own.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: receiver.url },
    logic: { operatorIdentifier: 'and', children: [condition] },
  });
  expect(added.status, added.text).toBe(200);
  for (const order of ORDERS) await home.submit(own, { [FRUIT.id]: order });
  const [request] = await receiver.received(1);
  expect(JSON.parse(String(request?.body)).data[FRUIT.id]).toEqual({
    value: ['Pear', 'Plum', 'Apple'],
    name: 'Fruit',
    type: 'ranking',
  });
});

test('formulas and own rules read it as a list in its order', async () => {
  const rule = {
    identifier: 'cv_order',
    value: {
      operator: 'equals',
      property_meta: { id: 'cv_order', type: 'computed' },
      value: 'Plum > Apple > Pear',
    },
  };
  const ruled = await home.form({
    properties: [
      {
        ...FRUIT,
        validation: {
          error_conditions: { conditions: { operatorIdentifier: 'and', children: [rule] } },
          error_message: 'Plums first',
        },
      },
    ],
    computed_variables: [
      { id: 'cv_order', name: 'Order', formula: `JOIN(" > ", {${FRUIT.id}})`, result_type: 'text' },
    ],
  });
  expect((await home.submit(ruled, { [FRUIT.id]: ORDERS[0] })).status).toBe(200);
  expect(expectInvalid(await home.submit(ruled, { [FRUIT.id]: ORDERS[1] }), FRUIT.id)[FRUIT.id]).toEqual([
    'Plums first',
  ]);
});
