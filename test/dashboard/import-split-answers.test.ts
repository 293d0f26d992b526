import { describe, expect, test } from 'vitest';
import { habitsOf } from '../../dashboard/import/habits.ts';
import { matchColumns } from '../../dashboard/import/match-columns.ts';
import { compileRows, finishedRows } from '../../dashboard/import/read-rows.ts';
import { readTable } from '../../dashboard/import/read-table.ts';
import { targetsOf } from '../../dashboard/import/targets.ts';
import { download } from '../exports/download.ts';
import { useHome } from '../setup/home.ts';

/** An export is read as the same answers, also with a column for each option. */
const home = useHome();
const several = (id: string, name: string, options: string[], more: object = {}) => ({
  id,
  type: 'multi_select',
  name,
  options,
  ...more,
});
const FIELDS = [
  several('topics', 'Topics', ['Garden', 'Music, loud', '=Art']),
  several('again', 'Topics', ['Garden', 'Sea'], { allow_creation: true }),
  several('guarded', '=Which?', ['A', 'B']),
  { id: 'care', type: 'matrix', name: 'Care', rows: ['Food', 'Room'], columns: ['Bad', 'Good | great', '1'] },
  { id: 'care2', type: 'matrix', name: 'Care', rows: ['Food'], columns: ['Bad', 'Good'] },
  { id: 'order', type: 'ranking', name: 'Order', options: ['A', 'B, or C', 'D'] },
];
const ANSWERS = [
  {
    topics: ['Garden', '=Art'],
    again: ['Garden', 'mine, all mine', '=2'],
    guarded: ['B'],
    care: { Food: '1', Room: 'Good | great' },
    care2: { Food: 'Good' },
    order: ['B, or C', 'D', 'A'],
  },
  { topics: ['Music, loud'], again: ['Sea'], care: { Room: 'Bad' } },
  { again: ['only my own'], order: ['D', 'A', 'B, or C'] },
];

const OWN_TEXTS = [
  several('menu', 'Menu', ['Fish', 'Rice'], { allow_creation: true }),
  several('ways', 'Ways', ['Train', 'Other'], { allow_creation: true }),
  { id: 'state', type: 'text', name: 'Status' },
  { id: 'same', type: 'text', name: 'status' },
  { id: 'end', type: 'text', name: 'ending' },
];
const OWN_ANSWERS = [
  {
    menu: ['Rice', 'Soup; no meat', 'rice', 'a,b'],
    ways: ['Other', 'On foot'],
    state: 'Married',
    same: 'open',
  },
  { menu: ['one line\nanother'], ways: ['Other'] },
  { menu: ['Fish'], ways: ['By boat'], same: 'done', end: 'happy' },
];

test.each(['csv', 'xlsx'])('as %s', async (format) => {
  await expectSame(format, FIELDS, ANSWERS, { split_answers: true });
});

test.each(['csv', 'xlsx'])(
  'with texts that respondents typed, and questions called as other columns are, as %s',
  async (format) => {
    await expectSame(format, OWN_TEXTS, OWN_ANSWERS);
    // Between such texts in one cell is a semicolon.
    const answers = OWN_ANSWERS.map(({ menu: _, ...rest }) => rest);
    await expectSame(format, OWN_TEXTS, answers, { split_answers: true });
  },
);

test.each(['csv', 'xlsx'])(
  'with typed texts that elsewhere mark an option or are one in another letter case, as %s',
  async (format) => {
    const typed = ['No', '-', 'x', '1', '0', 'n/a', 'Oui', 'garden', 'Other', '=1', 'two\nlines'];
    const answers = [
      ...typed.map((text) => ({ topics: [text] })),
      ...typed.map((text) => ({ topics: ['Garden', text, 'a, b'] })),
    ];
    const topics = several('topics', 'Topics', ['Garden', 'Boats'], { allow_creation: true });
    await expectSame(format, [topics], answers, { split_answers: true });
  },
);

test.each(['csv', 'xlsx'])(
  'with typed texts that begin with a blank, and rows that look guarded, as %s',
  async (format) => {
    const fields = [
      several('topics', 'Topics', ['Garden'], { allow_creation: true }),
      { id: 'care', type: 'matrix', name: 'Care', rows: ["'=1", '=1'], columns: ['Bad', 'Good'] },
    ];
    const answers = [
      { topics: ['Garden', ' mine'], care: { "'=1": 'Good' } },
      { topics: ['\t=3', ' last'], care: { '=1': 'Bad', "'=1": 'Good' } },
    ];
    await expectSame(format, fields, answers, { split_answers: true });
  },
);

test.each(['csv', 'xlsx'])(
  'with questions called as the columns about responses are, as %s',
  async (format) => {
    const fields = [
      several('state', 'status', ['Married', 'completed']),
      { id: 'when', type: 'ranking', name: 'created_at', options: ['A', 'B'] },
      { id: 'ticked', type: 'checkbox', name: 'created_at' },
      { id: 'which', type: 'matrix', name: 'id', rows: ['One'], columns: ['Yes', 'No'] },
    ];
    const answers = [
      { state: ['Married'], when: ['B', 'A'], ticked: true, which: { One: 'No' } },
      { state: ['completed', 'Married'], ticked: false },
    ];
    await expectSame(format, fields, answers);
    await expectSame(
      format,
      fields,
      answers.map(({ state, ...rest }) => ({
        ...rest,
        state: state.toSorted((one) => (one === 'Married' ? -1 : 1)),
      })),
      { split_answers: true },
    );
  },
);

test.each(['csv', 'xlsx'])(
  'with repeated questions whose names begin with a blank, as %s',
  async (format) => {
    const questions = [' Name', 'Age'].map((name, index) => ({ id: `q${index}`, type: 'text', name }));
    const fields = [{ id: 'people', type: 'repeat', name: 'People', questions }];
    const people = [{ q0: 'Ann; or not', q1: '7' }, { q0: 'Ben' }, { q1: 'a | b' }];
    await expectSame(format, fields, [{ people }, { people: people.slice(1) }]);
  },
);

const ABOUT = ['submission_id', 'created_at', 'status', 'ending'];
const called = (name: string, id: string) => ({ id, type: 'text', name });

describe.each(['status', 'submission_id', 'completion_time', 'utm_source', 'paid_at'])(
  'a question called %s',
  (name) => {
    const column = name.startsWith('utm') ? `meta.attribution.${name}` : name;
    const asked = [called(name, 'a'), called('Other', 'b'), called(name, 'c')];
    test.each([
      ['alone', asked.slice(0, 1)],
      ['first', asked.slice(0, 2)],
      ['last', asked.slice(1)],
      ['twice', asked],
    ])('%s, in the order of the dashboard and before the questions', async (_, fields) => {
      const answers = [Object.fromEntries(fields.map(({ id }) => [id, 'partial']))];
      const ids = fields.map(({ id }) => id);
      const after = [...new Set(['status', 'completion_time', 'submission_id', column])];
      const before = [...new Set(['submission_id', 'created_at', 'status', column])];
      expect(await expectSame('csv', fields, answers, {}, ['created_at', ...ids, ...after])).toEqual(
        expect.arrayContaining(['created_at', 'status', 'source_id', 'completion_time']),
      );
      await expectSame('csv', fields, answers, {}, [...before, ...ids]);
    });
  },
);

test.each([
  ['whose name has a number already', ['Q', 'Q (2)', 'Q'], ['text', 'text', 'text']],
  ['whose name has the number of another', ['Q', 'Q', 'Q (2)'], ['text', 'text', 'text']],
  ['called as a signature before it', ['Name', 'Name'], ['signature', 'text']],
])('a question %s', async (_, names, types) => {
  const fields = names.map((name, nth) => ({ id: `q${nth}`, type: types[nth], name }));
  const answers = Object.fromEntries(fields.map(({ id }) => [id, `answer ${id}`]));
  const texts = fields.flatMap(({ id, type }) => (type === 'text' ? [[id, answers[id]]] : []));
  await expectSame(
    'csv',
    fields,
    [answers],
    {},
    [...ABOUT, ...fields.map(({ id }) => id)],
    [Object.fromEntries(texts)],
  );
});

test.each([
  ['csv', true],
  ['xlsx', true],
  ['csv', false],
])('answers from before a question was changed are refused, as %s, split: %s', async (format, isSplit) => {
  const fieldsOf = (more: string[], rows: string[], order: string[]) => [
    several('topics', 'Topics', ['Garden', ...more]),
    { id: 'care', type: 'matrix', name: 'Care', rows: ['Food', ...rows], columns: ['Good'] },
    { id: 'order', type: 'ranking', name: 'Order', options: ['Other', 'B', ...order] },
  ];
  const form = await home.form({ properties: fieldsOf(['Art'], ['Gone'], ['C']) });
  const kept = { topics: ['Garden'], care: { Food: 'Good' } };
  for (const answers of [
    { topics: ['Garden', 'Art'] },
    { topics: ['Art'] },
    { care: { Food: 'Good', Gone: 'Good' } },
    { order: ['C', 'Other', 'B'] },
    kept,
  ])
    expect((await home.submit(form, answers)).status).toBe(200);
  const fields = fieldsOf([], [], []);
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties: fields })).status).toBe(200);
  const { submissions } = await readBack(format, { ...form, properties: fields }, { split_answers: isSplit });
  const copy = await home.form({ properties: fields });
  const path = `/open/forms/${copy.id}/submissions/import`;
  const { body } = await home.call('POST', path, { submissions, skip_invalid: true });
  expect(body.refused.map(({ errors }: { errors: object }) => Object.keys(errors))).toEqual([
    ['order'],
    ['care'],
    ['topics'],
    ['topics'],
  ]);
  expect(await home.records(copy)).toMatchObject([{ data: kept }]);
});

async function expectSame(
  format: string,
  fields: { id: string }[],
  given: object[],
  more: object = {},
  columns?: string[],
  expected = given,
) {
  const form = await home.form({ properties: fields });
  for (const answers of given) expect((await home.submit(form, answers)).status).toBe(200);
  const { matched, submissions } = await readBack(format, form, more, columns);
  const copy = await home.form({ properties: fields });
  const stored = await home.call('POST', `/open/forms/${copy.id}/submissions/import`, { submissions });
  expect(stored.status, stored.text).toBe(200);
  const records = await home.records(copy);
  const known = records.map(({ data }) =>
    Object.fromEntries(fields.flatMap(({ id }) => (data[id] === undefined ? [] : [[id, data[id]]]))),
  );
  expect(known).toHaveLength(given.length);
  expect(known).toEqual(expect.arrayContaining(expected));
  return matched;
}

/** What an export of a form is read as. */
async function readBack(
  format: string,
  form: any,
  more: object,
  columns = [...ABOUT, ...form.properties.map(({ id }: { id: string }) => id)],
) {
  const exported = await download(home, form, format, columns, more);
  expect(exported.status).toBe(200);
  const table = await readTable(new File([await exported.arrayBuffer()], `answers.${format}`));
  const targets = targetsOf(form, table);
  const matched = matchColumns(table, targets, form);
  const ways = { dayFirst: false, zone: 'UTC', habits: habitsOf(table, matched, targets) };
  return { matched, submissions: finishedRows(table, matched).map(compileRows(matched, targets, ways)) };
}
