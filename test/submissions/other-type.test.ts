import { expect, test } from 'vitest';
import { countAnswers } from '../../server/statistics/count-answers.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });
const ID = aField('e1', 'text', '').id;
const NAMES = ['Red', 'Blue'];
const OPTIONS = { options: NAMES.map((name) => ({ id: name, name })) };

/** By type of question, answers of each shape, and the words of each that a CSV file must contain. */
const ANSWERS: Record<string, [answer: unknown, words: string[]]> = {
  text: ['Red, perhaps', ['Red, perhaps']],
  number: [3.5, ['3.5']],
  multi_select: [NAMES, NAMES],
  checkbox: [true, ['true']],
  date: ['2026-01-31', ['2026-01-31']],
  matrix: [{ Red: 'Good' }, ['Red', 'Good']],
  ranking: [['Blue', 'Red'], ['Blue, Red']],
  repeat: [
    [{ who: 'Ann', age: 3 }, { who: 'Ben' }],
    ['Ann', 'Ben', '3'],
  ],
};
const TYPES = [
  ...['text', 'rich_text', 'phone_number', 'number', 'rating', 'select', 'multi_select', 'checkbox', 'date'],
  ...['matrix', 'ranking', 'repeat', 'files', 'signature'],
];

function question(type: string) {
  return aField('e1', type, 'Question', {
    ...(['select', 'multi_select', 'ranking'].includes(type) && { [type]: OPTIONS }),
    ...(type === 'matrix' && { rows: NAMES, columns: ['Good', 'Bad'] }),
    ...(type === 'repeat' && {
      questions: [
        { id: 'who', type: 'text', name: 'Who' },
        { id: 'age', type: 'number', name: 'Age' },
      ],
    }),
    ...(type === 'phone_number' && { use_simple_text_input: true }),
  });
}

async function turn(form: { id: number }, type: string): Promise<void> {
  const properties = [aTextField(), question(type)];
  const answer = await home.call('PUT', `/open/forms/${form.id}`, { properties });
  expect(answer.status, answer.text).toBe(200);
}

const formOf = (type: string) =>
  home.form({
    properties: [aTextField(), question(type)],
    editable_submissions: true,
    enable_partial_submissions: true,
  });

test.each(Object.entries(ANSWERS))(
  'an answer to a question of the type %s stays as it is whatever the type is now, and is read everywhere',
  async (type, [answer, words]) => {
    const form = await formOf(type);
    const path = `/open/forms/${form.id}`;
    const sent = { [TEXT_FIELD_ID]: 'Ada', [ID]: answer };
    const { submission_hash } = (await home.submit(form, { ...sent, is_partial: true })).body;
    expect((await home.submit(form, sent)).status).toBe(200);
    for (const next of TYPES) {
      const label = `${type} → ${next}`;
      await turn(form, next);
      const [record] = await home.records(form);
      expect(record.data, label).toMatchObject(sent);
      const csv = await home.call('POST', `${path}/submissions/export`, { columns: { [ID]: true } });
      for (const word of words) expect(csv.text, label).toContain(word);
      const queries = [
        'equals]=1',
        'does_not_equal]=true',
        'contains]=Red',
        'after]=2026-01-01',
        'is_empty]=',
      ];
      for (const query of [`sort=${ID}`, ...queries.map((one) => `filter[${ID}][${one}`)]) {
        const { status } = await home.call('GET', `${path}/submissions?${query}`);
        expect([200, 422], `${label}, ${query}`).toContain(status);
      }
      const figures = await home.call('GET', `${path}/statistics/fields`);
      expect(figures.body.fields[1].answered, label).toBe(1);
      const page = await fetch(`${form.share_url}?submission_id=${record.submission_id}`);
      expect(page.status, label).toBe(200);
      const more = await home.submit(form, { ...sent, is_partial: true, submission_hash });
      expect([200, 422], label).toContain(more.status);
      // An answer sent back unchanged may no longer fit. Then it is refused, and the stored one stays.
      const back = await home.call('PUT', `${path}/submissions/${record.id}`, sent);
      if (back.status === 422) expectInvalid(back, ID);
      else expect(back.status, label).toBe(200);
      await turn(form, type);
      expect((await home.call('PUT', `${path}/submissions/${record.id}`, sent)).status, label).toBe(200);
    }
    await countAnswers(home.service.context.db);
    expect((await home.call('GET', `${path}/statistics/fields`)).body.fields[1].answered).toBe(1);
  },
);

test('who chose one option is found where several can be chosen now, and the other way round', async () => {
  const form = await formOf('select');
  const found = async (query: string) =>
    (await home.call('GET', `/open/forms/${form.id}/submissions?filter[${ID}]${query}`)).body.data.map(
      ({ data }: any) => data[ID],
    );
  await home.submit(form, { [ID]: 'Red' });
  await turn(form, 'multi_select');
  await home.submit(form, { [ID]: NAMES });
  expect(await found('=Red')).toEqual([NAMES, 'Red']);
  expect(await found('[contains]=re')).toEqual([NAMES, 'Red']);
  expect(await found('=Blue')).toEqual([NAMES]);
  await turn(form, 'select');
  expect(await found('=Red')).toEqual([NAMES, 'Red']);
  expect(await found('[contains]=blu')).toEqual([NAMES]);
});

test('answers from before a question asked for dates are neither before nor after a day', async () => {
  const form = await formOf('text');
  await home.submit(form, { [ID]: '12 Main Street' });
  await home.submit(form, { [ID]: 'yes' });
  await home.submit(form, { [ID]: '2026-01-32' });
  await home.submit(form, { [ID]: '2026-01-30' });
  await turn(form, 'number');
  await home.submit(form, { [ID]: 42 });
  await turn(form, 'multi_select');
  await home.submit(form, { [ID]: NAMES });
  await turn(form, 'date');
  await home.submit(form, { [ID]: '2026-02-01T00:30+01:00' });
  const found = async (operator: string) => {
    const query = `filter[${ID}][${operator}]=2026-01-31`;
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?${query}`);
    return body.data.map(({ data }: any) => data[ID]);
  };
  expect(await found('before')).toEqual(['2026-01-30']);
  expect(await found('on_or_before')).toEqual(['2026-02-01T00:30+01:00', '2026-01-30']);
  expect(await found('after')).toEqual([]);
  expect(await found('on_or_after')).toEqual(['2026-02-01T00:30+01:00']);
  expect(await found('does_not_equal')).toHaveLength(6);
});

test('an answer from before a question asked for an order is found as it is exported, and has no places', async () => {
  const form = await formOf('select');
  await home.submit(form, { [ID]: 'Red' });
  await turn(form, 'ranking');
  await home.submit(form, { [ID]: NAMES });
  const found = async (query: string) => {
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?filter[${ID}]${query}`);
    return body.data.map(({ data }: any) => data[ID]);
  };
  expect(await found('=Red')).toEqual(['Red']);
  expect(await found('=Red, Blue')).toEqual([NAMES]);
  expect(await found('[starts_with]=Red')).toEqual([NAMES]);
  expect(await found('[ends_with]=Red')).toEqual([]);
});

test('who corrects other answers does not take out one that the page could not show', async () => {
  const form = await formOf('text');
  const edit = async (answers: object, { submission_id }: any) => {
    const answer = await home.submit(form, { submission_id, [TEXT_FIELD_ID]: 'Ada L.', ...answers });
    expect(answer.status, answer.text).toBe(200);
    return (await home.records(form))[0].data;
  };
  const { body } = await home.submit(form, { [ID]: 'Red, perhaps' });
  for (const type of ['select', 'multi_select', 'checkbox', 'rating', 'scale', 'matrix', 'repeat']) {
    await turn(form, type);
    const label = `text → ${type}`;
    expect((await edit({}, body))[ID], label).toBe('Red, perhaps');
  }
  await turn(form, 'checkbox');
  // A page sends false for a box that is not ticked.
  expect((await edit({ [ID]: false }, body))[ID]).toBe('Red, perhaps');
  expect((await edit({ [ID]: true }, body))[ID]).toBe(true);
  expect((await edit({ [ID]: false }, body))[ID]).toBe(false);
  // An answer the page shows is removed when the respondent empties it.
  await turn(form, 'multi_select');
  await edit({ [ID]: NAMES }, body);
  expect(await edit({}, body)).not.toHaveProperty(ID);
  await turn(form, 'text');
  await edit({ [ID]: 'Red' }, body);
  expect(await edit({}, body)).not.toHaveProperty(ID);

  // The same holds for a submission that was only begun.
  const begun = await home.submit(form, { [ID]: 'Blue, perhaps', is_partial: true });
  await turn(form, 'select');
  const { submission_hash } = begun.body;
  const done = await home.submit(form, { [TEXT_FIELD_ID]: 'Bo', submission_hash });
  expect(done.status, done.text).toBe(200);
  expect((await home.records(form))[0]).toMatchObject({
    status: 'completed',
    data: { [TEXT_FIELD_ID]: 'Bo', [ID]: 'Blue, perhaps' },
  });
});

test('nor the rows of a matrix where an order is asked for now', async () => {
  const form = await formOf('matrix');
  const given = { [ID]: { Red: 'Good' } };
  const { submission_id } = (await home.submit(form, given)).body;
  await turn(form, 'ranking');
  const edited = await home.submit(form, { submission_id, [TEXT_FIELD_ID]: 'Ada L.' });
  expect(edited.status, edited.text).toBe(200);
  expect((await home.records(form))[0].data).toMatchObject({ ...given, [TEXT_FIELD_ID]: 'Ada L.' });
});

test('nor a part of one: what was chosen by a name that is gone stays while the rest of it is left as it was shown', async () => {
  const asked = (type: string, names: string[]) =>
    aField('e1', type, 'Question', {
      ...(type === 'matrix'
        ? { rows: names, columns: ['Good', 'Bad'] }
        : { [type]: { options: names.map((name) => ({ id: name, name })) } }),
    });
  const after = async (type: string, given: unknown, sent: unknown) => {
    const save = (form: { id: number }, names: string[]) =>
      home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField(), asked(type, names)] });
    const form = await formOf('text');
    expect((await save(form, ['Red', 'Blue', 'Green'])).status).toBe(200);
    const { body } = await home.submit(form, { [ID]: given });
    expect((await save(form, ['Crimson', 'Blue', 'Green'])).status).toBe(200);
    const answers = { [TEXT_FIELD_ID]: 'Ada L.', [ID]: sent };
    const edited = await home.submit(form, { ...answers, submission_id: body.submission_id });
    expect(edited.status, edited.text).toBe(200);
    return (await home.records(form))[0].data[ID];
  };
  const days = ['Green', 'Red', 'Blue'];
  // A page sends options in the order of the form.
  expect(await after('multi_select', days, ['Blue', 'Green'])).toEqual(days);
  expect(await after('multi_select', days, ['Blue'])).toEqual(['Blue']);
  expect(await after('multi_select', ['Red', 'Blue'], ['Blue', 'Green'])).toEqual(['Blue', 'Green']);
  const rows = { Red: 'Good', Blue: 'Bad' };
  expect(await after('matrix', rows, { Blue: 'Bad' })).toEqual(rows);
  // Nobody is asked about the other row any more.
  expect(await after('matrix', rows, { Blue: 'Good' })).toEqual({ Red: 'Good', Blue: 'Good' });
});

test('so it is with a matrix whose rows or columns have other names now, and with the rows that are not shown if others are', async () => {
  const matrix = (rows: string[], columns: string[]) => [
    aField('61', 'text', 'Name'),
    aField('62', 'matrix', 'Matrix', { rows, columns }),
  ];
  const [name, field] = matrix([], []).map(({ id }) => id) as [string, string];
  const after = async (rows: string[], columns: string[]) => {
    const form = await home.form({
      properties: matrix(['R', 'S'], ['Good', 'Bad']),
      editable_submissions: true,
    });
    const { body } = await home.submit(form, { [name]: 'Ada', [field]: { R: 'Good', S: 'Bad' } });
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: matrix(rows, columns) });
    expect(saved.status, saved.text).toBe(200);
    const edited = await home.submit(form, { [name]: 'Ada L.', submission_id: body.submission_id });
    expect(edited.status, edited.text).toBe(200);
    return (await home.records(form))[0].data[field];
  };
  expect(await after(['R', 'S'], ['Well', 'Badly'])).toEqual({ R: 'Good', S: 'Bad' });
  expect(await after(['Q'], ['Good', 'Bad'])).toEqual({ R: 'Good', S: 'Bad' });
  // Its page shows the answer to `R`, which was taken away.
  expect(await after(['R'], ['Good', 'Bad'])).toEqual({ S: 'Bad' });
});

test('an edit by an owner keeps what was answered to rows that are gone, unless it takes that away', async () => {
  const matrix = (rows: string[]) => [
    aField('61', 'text', 'Name'),
    aField('62', 'matrix', 'Matrix', { rows, columns: ['Good', 'Bad'] }),
  ];
  const [name, field] = matrix([]).map(({ id }) => id) as [string, string];
  const form = await home.form({ properties: matrix(['Food', 'Room']) });
  await home.submit(form, { [name]: 'Ada', [field]: { Food: 'Good', Room: 'Bad' } });
  const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: matrix(['Meals', 'Room']) });
  expect(saved.status, saved.text).toBe(200);
  const [record] = await home.records(form);
  const after = async (rows: object | null) => {
    const path = `/open/forms/${form.id}/submissions/${record.id}`;
    const edited = await home.call('PUT', path, { [name]: 'Ada L.', [field]: rows });
    expect(edited.status, edited.text).toBe(200);
    return (await home.records(form))[0].data[field];
  };
  expect(await after({ Food: 'Good', Room: 'Bad' })).toEqual({ Food: 'Good', Room: 'Bad' });
  expect(await after({ Food: 'Good', Room: 'Good', Meals: 'Bad' })).toEqual({
    Food: 'Good',
    Room: 'Good',
    Meals: 'Bad',
  });
  // Nobody is asked about such a row any more, so it gets no other answer.
  expect(await after({ Food: 'Bad', Room: 'Good' })).toEqual({ Room: 'Good' });
  expect(await after({ Food: 'Good', Room: 'Good' })).toEqual({ Room: 'Good' });
  expect(await after(null)).toBeUndefined();
});

test('and with repeated questions that are others now, unless one of them is still asked', async () => {
  const name = aField('61', 'text', 'Name');
  const repeat = (...ids: string[]) =>
    aField('62', 'repeat', 'People', { questions: ids.map((id) => ({ id, type: 'text', name: id })) });
  const { id } = repeat();
  const after = async (...ids: string[]) => {
    const form = await home.form({ properties: [name, repeat('who', 'from')], editable_submissions: true });
    const { body } = await home.submit(form, { [id]: [{ who: 'Ann', from: 'Rome' }, { who: 'Ben' }] });
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: [name, repeat(...ids)] });
    expect(saved.status, saved.text).toBe(200);
    const edited = await home.submit(form, { [name.id]: 'Ada L.', submission_id: body.submission_id });
    expect(edited.status, edited.text).toBe(200);
    return (await home.records(form))[0].data[id];
  };
  expect(await after('age')).toEqual([{ who: 'Ann', from: 'Rome' }, { who: 'Ben' }]);
  expect(await after('age', 'who')).toBeUndefined();
});
