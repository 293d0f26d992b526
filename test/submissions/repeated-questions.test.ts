import { describe, expect, test } from 'vitest';
import { useChat } from '../chat/use-chat.ts';
import { aField, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** Answers to repeated questions sent by the API, wherever they are used. */
const home = useHome();
const chat = useChat(home);

const PEOPLE = aField('01', 'repeat', 'People', {
  entry_name: 'Person',
  min_entries: 1,
  max_entries: 3,
  questions: [
    { id: 'name', type: 'text', name: 'Name', required: true },
    { id: 'age', type: 'number', name: 'Age' },
    { id: 'food', type: 'multi_select', name: 'Food', multi_select: { options: ['Fish', 'Rice'] } },
    { id: 'vegan', type: 'checkbox', name: 'Vegan' },
  ],
});
const aTrip = (more: object = {}) =>
  home.form({
    properties: [PEOPLE],
    enable_partial_submissions: true,
    editable_submissions: true,
    ...more,
  });
const ANN = { name: 'Ann', age: 3, food: ['Rice', 'Fish'], vegan: true };
const people = (...entries: unknown[]) => ({ [PEOPLE.id]: entries });

describe('an answer', () => {
  test('is stored entry by entry, as it is checked, and read again', async () => {
    const form = await aTrip();
    const sent = people({ ...ANN, age: '3', lost: 1 }, {}, { name: 'Ben', age: null });
    expect((await home.submit(form, sent)).status).toBe(200);
    const [record] = await home.records(form);
    expect(record.data).toMatchObject(people(ANN, { name: 'Ben' }));
    const put = (body: object) => home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, body);
    expect((await put(people({ name: 'Cy' }))).status).toBe(200);
    expect((await home.records(form))[0].data).toMatchObject(people({ name: 'Cy' }));
    const refused = expectInvalid(
      await put(people({ name: 'Cy', age: 'old' }, { age: 1 }, { vegan: 'x' })),
      PEOPLE.id,
    );
    expect(refused[PEOPLE.id]).toEqual([
      'Person 1 – The Age must be a number.',
      'Person 2 – The Name field is required.',
      'Person 3 – The Name field is required.',
      'Person 3 – The Vegan field must be true or false.',
    ]);
    const lacking = expectInvalid(await put(people({ name: 'Cy' }, { age: 1 })), PEOPLE.id);
    expect(lacking[PEOPLE.id]).toEqual(['Person 2 – The Name field is required.']);
  });

  test.each([
    ['Ann', ['The People must be an array.']],
    [['Ann'], ['The People must be an array.']],
    [[{ food: ['Meat'], name: 'x' }], ['Person 1 – The selected Food is invalid.']],
    [Array.from({ length: 4 }, () => ({ name: 'x' })), ['The People may not have more than 3 items.']],
  ])('that is wrong is refused: %j', async (answer, messages) => {
    const form = await aTrip();
    const refused = expectInvalid(await home.submit(form, { [PEOPLE.id]: answer }), PEOPLE.id);
    expect(refused[PEOPLE.id]).toEqual(messages);
  });

  test.each([{ was: 1 }, { name: '' }, {}])(
    'has no part in it where nothing that is asked is answered: %j',
    async (entry) => {
      const form = await home.form({
        properties: [{ ...PEOPLE, required: false, min_entries: 2, max_entries: 2 }],
      });
      const kept = async (...entries: object[]) => {
        const sent = await home.submit(form, people(...entries));
        expect(sent.status, sent.text).toBe(200);
        return (await home.records(form))[0].data[PEOPLE.id];
      };
      expect(await kept(entry)).toBeUndefined();
      const both = [{ name: 'Ann' }, { name: 'Ben' }];
      expect(await kept(entry, ...both)).toEqual(both);
      const one = expectInvalid(await home.submit(form, people(entry, { name: 'Ann' })), PEOPLE.id);
      expect(one[PEOPLE.id]).toEqual(['The People must have at least 2 items.']);
    },
  );

  test('counts as it is stored: a box sent as 0 is not ticked, a calling code alone is no number', async () => {
    const field = aField('02', 'repeat', 'People', {
      questions: [
        { id: 'agrees', type: 'checkbox', name: 'Agrees', required: true },
        { id: 'phone', type: 'phone_number', name: 'Phone', required: true },
      ],
    });
    const form = await home.form({ properties: [field] });
    const send = (entry: object) => home.submit(form, { [field.id]: [entry] });
    const phone = '+33123456789';
    expect(expectInvalid(await send({ agrees: '0', phone }), field.id)[field.id]).toEqual([
      'People 1 – The Agrees must be accepted.',
    ]);
    expect(expectInvalid(await send({ agrees: '1', phone: '+33' }), field.id)[field.id]).toEqual([
      'People 1 – The Phone field is required.',
    ]);
    expect((await send({ agrees: '1', phone })).status).toBe(200);
    expect((await home.records(form))[0].data[field.id]).toEqual([{ agrees: true, phone }]);
  });

  test('may be begun, and completed later', async () => {
    const form = await aTrip();
    const begun = await home.submit(form, { ...people({ age: 4 }), is_partial: true });
    expect(begun.status, begun.text).toBe(200);
    const { submission_hash } = begun.body;
    expectInvalid(await home.submit(form, { ...people({ age: 4 }), submission_hash }), PEOPLE.id);
    const done = await home.submit(form, { ...people({ age: 4, name: 'Dora' }), submission_hash });
    expect(done.status, done.text).toBe(200);
    const [record] = await home.records(form);
    expect(record).toMatchObject({ status: 'completed', data: people({ age: 4, name: 'Dora' }) });
  });

  test('is imported, counted, searched and filtered', async () => {
    const form = await aTrip();
    const path = `/open/forms/${form.id}`;
    const submissions = [people(ANN, { name: 'Ben' }), people({ name: 'Eve', food: ['Fish'] })].map(
      (answers) => ({ answers }),
    );
    const imported = await home.call('POST', `${path}/submissions/import`, { submissions });
    expect(imported.body).toMatchObject({ stored: 2, refused: [] });
    const wrong = [{ answers: people({ name: 'Ann', age: 'old' }) }];
    const refused = await home.call('POST', `${path}/submissions/import`, { submissions: wrong });
    expect(refused.body.errors).toEqual({
      [`submissions.0.${PEOPLE.id}`]: ['Person 1 – The Age must be a number.'],
    });
    const figures = await home.call('GET', `${path}/statistics/fields`);
    expect(figures.body.fields).toMatchObject([
      { id: PEOPLE.id, name: 'People', type: 'repeat', answered: 2 },
    ]);
    expect(Object.keys(figures.body.fields[0])).toEqual([
      ...['id', 'name', 'type', 'answered', 'entries', 'questions'],
    ]);
    const found = async (query: string) => {
      const answer = await home.call('GET', `${path}/submissions?${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.map(({ data }: any) => data[PEOPLE.id][0].name);
    };
    expect(await found('search=bEN')).toEqual(['Ann']);
    // The search finds neither ids of questions nor the JSON syntax of entries.
    for (const text of ['food', 'name', '"', '[{', 'e": "'])
      expect(await found(`search=${encodeURIComponent(text)}`), text).toEqual([]);
    expect(await found(`filter[${PEOPLE.id}][contains]=fish`)).toEqual(['Eve', 'Ann']);
    // The filter compares neither ids of questions nor the syntax of lists.
    expect(await found(`filter[${PEOPLE.id}][contains]=food`)).toEqual([]);
    expect(await found(`filter[${PEOPLE.id}]=1`)).toEqual(['Eve']);
    expect(await found(`filter[${PEOPLE.id}][greater_than]=1`)).toEqual(['Ann']);
    expect(await found(`filter[${PEOPLE.id}][is_empty]=`)).toEqual([]);
  });
});

test('a form goes with its repeated questions, copied and moved', async () => {
  const form = await aTrip();
  await home.submit(form, people(ANN));
  const copy = await home.call('POST', `/open/forms/${form.id}/duplicate`);
  expect(copy.body.new_form.properties).toEqual(form.properties);
  expect((await home.submit(copy.body.new_form, people(ANN))).status).toBe(200);
  const other = await aWorkspace(home.service, home.ada);
  const moved = await home.call('POST', `/open/forms/${form.id}/move`, { workspace_id: other });
  expect(moved.status, moved.text).toBe(200);
  expect((await home.records(form))[0].data).toMatchObject(people(ANN));
});

test('webhooks carry the entries, their samples too, and messages for chats a line for each', async () => {
  chat.form = await aTrip({ language: 'de' });
  const webhook = await chat.add('json');
  const { body } = await chat.submit(people(ANN, { name: 'Ben' }));
  expect(body.data[PEOPLE.id].value).toEqual([ANN, { name: 'Ben' }]);
  const tried = await chat.integrations('POST', undefined, `/${webhook.id}/test`);
  expect(tried.status, tried.text).toBe(200);
  const sample = await chat.received();
  expect(sample.body.data[PEOPLE.id].value).toEqual([
    { name: 'Sample text', age: 3, food: ['Fish'], vegan: true },
  ]);

  chat.form = await aTrip({ language: 'de' });
  await chat.add('discord');
  const told = await chat.submit(people(ANN, { name: 'Ben' }));
  expect(told.body.embeds[0].description).toBe(
    '**People**\nName\\: Ann; Age\\: 3; Food\\: Rice, Fish; Vegan\\: Ja\nName\\: Ben',
  );
});
