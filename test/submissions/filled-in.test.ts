import { describe, expect, test } from 'vitest';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();

const field = (id: string, options: Record<string, unknown> = {}) => ({
  id,
  type: 'text',
  name: id,
  ...options,
});
const when = (id: string, operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [{ identifier: id, value: { operator, property_meta: { id, type: 'text' }, value } }],
});
const actsWhen = (id: string, value: string, ...actions: string[]) => ({
  logic: { conditions: when(id, 'equals', value), actions },
});

async function stored(properties: unknown[], body: object = {}) {
  const form = await home.form({ properties });
  const answer = await home.submit(form, body);
  expect(answer.status, answer.text).toBe(200);
  const { id, submission_id, status, created_at, ...answers } = (await home.records(form))[0].data;
  return answers;
}

describe('hidden fields that are filled in decide about each other', () => {
  const hidden = (id: string, options = {}) => field(id, { hidden: true, prefill: `p${id}`, ...options });

  test('a default that hides a field lets it be filled, before and behind it', async () => {
    const hides = actsWhen('b', 'pb', 'hide-block');
    const properties = [
      field('a', { prefill: 'pa', ...hides }),
      hidden('b'),
      field('c', { prefill: 'pc', ...hides }),
    ];
    expect(await stored(properties)).toEqual({ a: 'pa', b: 'pb', c: 'pc' });
    expect(await stored(properties, { b: 'other' })).toEqual({ b: 'other' });
  });

  test('a default that shows a field leaves it unanswered, before and behind it', async () => {
    const shows = actsWhen('b', 'pb', 'show-block', 'require-answer');
    const form = await home.form({ properties: [hidden('a', shows), hidden('b'), hidden('c', shows)] });
    expectInvalid(await home.submit(form, {}), 'a', 'c');
    expect((await home.submit(form, { b: 'other' })).status).toBe(200);
    expect((await home.records(form))[0].data).toMatchObject({ a: 'pa', b: 'other', c: 'pc' });
  });

  test('so do they one after another, in either order', async () => {
    const chain = ['a', 'b', 'c', 'd', 'e'].map((id, at, ids) =>
      hidden(id, at === 0 ? {} : actsWhen(ids[at - 1] ?? '', `p${ids[at - 1]}`, 'show-block')),
    );
    const answers = { a: 'pa', c: 'pc', e: 'pe' };
    expect(await stored(chain)).toEqual(answers);
    expect(await stored(chain.toReversed())).toEqual(answers);
  });

  test('a circle ends', async () => {
    const circle = [
      hidden('a', actsWhen('b', 'pb', 'show-block')),
      hidden('b', actsWhen('a', 'pa', 'show-block')),
      hidden('c', actsWhen('c', 'pc', 'show-block')),
    ];
    expect(Object.keys(await stored(circle))).toHaveLength(2);
  });
});

test('what is filled in is looked up among the submissions', async () => {
  const taken = {
    error_conditions: { conditions: when('h', 'does_not_exist_in_submissions', true) },
    error_message: 'Taken',
  };
  const hidden = field('h', { hidden: true, prefill: 'once' });
  const form = await home.form({ properties: [hidden, field('v', { validation: taken })] });
  expect((await home.submit(form, { v: 'a' })).status).toBe(200);
  expect(expectInvalid(await home.submit(form, { v: 'b' }), 'v')).toEqual({ v: ['Taken'] });
  expect((await home.submit(form, { v: 'c', h: 'another' })).status).toBe(200);
});

test('an id is made in place of an answer that is none', async () => {
  const made = field('a', { generates_uuid: true });
  const id = '3700d380-197b-4a55-9f36-2ac6c8ab8b5f';
  expect(await stored([made], { a: id })).toEqual({ a: id });
  expect(await stored([made])).toEqual({});
  for (const [options, body] of [
    [{}, { a: 'mine' }],
    [{ hidden: true }, {}],
  ])
    expect(await stored([{ ...made, ...options }], body)).toEqual({
      a: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
});
