import { describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { readSav } from './sav-reader.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';

/** Answers as a file for SPSS, R and Stata, read as these programs do. */
const LIMIT = 50;
const home = useHome({ env: { EXPORT_SYNC_LIMIT: String(LIMIT) } });
const exported = (form: { id: number }, columns: string[], more = {}, signal?: AbortSignal) =>
  download(home, form, 'sav', columns, more, signal);

const field = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });

const FIELDS = [
  field('name', 'text', 'Your name?'),
  field('age', 'number', 'Age'),
  field('stars', 'rating', 'How was it?'),
  field('news', 'checkbox', 'Send me news'),
  field('color', 'select', 'Color', { options: ['Red', 'Green, dark', 'Blau ü'] }),
  field('pets', 'multi_select', 'Which pets do you have?', {
    options: ['Cat, small', 'Dog'],
    allow_creation: true,
  }),
  field('born', 'date', 'Born on'),
  field('away', 'date', 'Away', { date_range: true, with_time: true }),
  field('care', 'matrix', 'Care', { rows: ['Food', 'Room'], columns: ['Bad', 'Good'] }),
  field('order', 'ranking', 'Order', { options: ['A', 'B', 'C'] }),
];
const IDS = FIELDS.map(({ id }) => id);

/** Seconds since the first day of the SPSS calendar. */
const seconds = (moment: string | Date) => (Date.parse(String(moment)) - Date.UTC(1582, 9, 14)) / 1000;
const labels = (...names: string[]) => names.map((label, index) => [index + 1, label]);

/** Leaves out missing values. */
const answered = (row: object = {}) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** A file as statistics programs see it, oldest submission first. */
async function read(response: Response) {
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { variables, cases, sets, count } = readSav(bytes);
  expect(cases).toHaveLength(count);
  const labelsOf = (wanted: string) => variables.find(({ name }) => name === wanted)?.valueLabels;
  return { rows: cases.reverse(), variables, sets, labelsOf };
}

describe('an SPSS file', () => {
  test('has numbers with their meaning, and what a question asks', async () => {
    const form = await home.form({ title: 'Survey', properties: FIELDS });
    const answers = {
      name: 'Ada 😀',
      age: 36.5,
      stars: 4,
      news: true,
      color: 'Blau ü',
      pets: ['Dog', 'Newt'],
      born: '1815-12-10',
      away: ['2026-01-02T10:30', '2026-01-03T08:00'],
      care: { Food: 'Good', Room: 'Bad' },
      order: ['B', 'C', 'A'],
    };
    for (const one of [answers, { name: 'Ben', pets: ['Cat, small'] }])
      expect((await home.submit(form, one)).status).toBe(200);
    const answer = await exported(form, ['id', ...IDS, 'created_at']);
    expect(answer.headers.get('content-type')).toBe('application/x-spss-sav');
    expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.sav"`);
    const { rows, variables, labelsOf, sets } = await read(answer);
    expect(variables.map(({ name, label }) => [name, label])).toEqual([
      ['id', 'id'],
      ['Your_name', 'Your name?'],
      ['Age', 'Age'],
      ['How_was_it', 'How was it?'],
      ['Send_me_news', 'Send me news'],
      ['Color', 'Color'],
      ['Which_pets_do_you_have_1', 'Which pets do you have?: Cat, small'],
      ['Which_pets_do_you_have_2', 'Which pets do you have?: Dog'],
      ['Which_pets_do_you_have_text', 'Which pets do you have?: other'],
      ['Born_on', 'Born on'],
      ['Away', 'Away'],
      ['Away_to', 'Away: to'],
      ['Care_1', 'Care: Food'],
      ['Care_2', 'Care: Room'],
      ['Order_1', 'Order: A'],
      ['Order_2', 'Order: B'],
      ['Order_3', 'Order: C'],
      ['created_at', 'created_at'],
    ]);
    expect(rows[0]).toMatchObject({
      Your_name: 'Ada 😀',
      Age: 36.5,
      How_was_it: 4,
      Send_me_news: 1,
      Color: 3,
      Which_pets_do_you_have_1: 0,
      Which_pets_do_you_have_2: 1,
      Which_pets_do_you_have_text: 'Newt',
      Born_on: seconds('1815-12-10'),
      Away: seconds('2026-01-02T10:30Z'),
      Away_to: seconds('2026-01-03T08:00Z'),
      Care_1: 2,
      Care_2: 1,
      Order_1: 3,
      Order_2: 1,
      Order_3: 2,
    });
    expect(answered(rows[1])).toEqual({
      id: 2,
      Your_name: 'Ben',
      Which_pets_do_you_have_1: 1,
      Which_pets_do_you_have_2: 0,
      Which_pets_do_you_have_text: '',
      created_at: expect.any(Number),
    });
    expect(Math.abs(Number(rows[0]?.created_at) - seconds(new Date()))).toBeLessThan(600);
    expect(labelsOf('Color')).toEqual(labels('Red', 'Green, dark', 'Blau ü'));
    expect(labelsOf('Care_2')).toEqual(labels('Bad', 'Good'));
    expect(labelsOf('Send_me_news')).toEqual([
      [0, 'No'],
      [1, 'Yes'],
    ]);
    const members = ['Which_pets_do_you_have_1', 'Which_pets_do_you_have_2'];
    expect(sets).toEqual([{ name: members[0], counted: '1', label: 'Which pets do you have?', members }]);
    const formats = Object.fromEntries(
      variables.map(({ name, format, measure }) => [name, [format, measure]]),
    );
    expect(formats).toMatchObject({
      Your_name: ['A8', 1],
      Age: ['F8.1', 3],
      How_was_it: ['F8', 2],
      Color: ['F8', 1],
      Born_on: ['SDATE10', 3],
      Away: ['DATETIME20', 3],
      Care_1: ['F8', 2],
      created_at: ['DATETIME20', 3],
    });
  });

  test('of texts of any length holds the first 32,766 bytes, whole characters of them', async () => {
    const form = await home.form({ properties: ['a', 'b', 'c', 'd'].map((id) => field(id, 'text', id)) });
    const texts = (length: number) => `${'long text, '.repeat(length / 10)}😀`.slice(-length);
    for (const [a, b, c] of [
      [texts(254), texts(256), 'ü'.repeat(20_000)],
      ['  spaces  before and 8', texts(1_000), '=1+1\n\t\\'],
    ])
      await home.submit(form, { a, b, c });
    const { rows, variables } = await read(await exported(form, ['a', 'b', 'c', 'd']));
    expect(variables.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(rows).toEqual([
      { a: texts(254), b: texts(256), c: 'ü'.repeat(16_383), d: '' },
      { a: '  spaces  before and 8', b: texts(1_000), c: '=1+1\n\t\\', d: '' },
    ]);
  });

  test('gives variables names that SPSS takes, each another one', async () => {
    const headers = [
      'Age',
      'age!',
      'AND',
      '2nd place',
      '???',
      'V1',
      '年齢',
      'é'.repeat(60),
      'é'.repeat(61),
      'a_1',
      'a',
    ];
    const properties = headers.map((name, index) => field(`f${index}`, 'text', name));
    const form = await home.form({ properties });
    const { variables } = await read(
      await exported(
        form,
        properties.map(({ id }) => id),
      ),
    );
    expect(variables.map(({ name }) => name)).toEqual([
      ...[
        'Age',
        'age_2',
        'AND_2',
        'q_2nd_place',
        'q',
        'V1',
        '年齢',
        'é'.repeat(32),
        `${'é'.repeat(31)}_2`,
        'a_1',
        'a',
      ],
    ]);
    expect(variables.map(({ label }) => label)).toEqual(headers);
  });

  test('keeps answers from before a question was another one, and none of its variables twice', async () => {
    const form = await home.form({ properties: FIELDS });
    await storeSubmissions(home.service, form.id, [
      {
        age: 'about 30',
        color: 'Pink',
        pets: 'Cat, small',
        born: 'in spring',
        care: 'fine',
        order: ['A', 'Z'],
      },
      {
        name: ['a', 'b'],
        color: ['Red'],
        pets: [],
        born: ['2026-01-01'],
        care: { Food: 'Soso', Room: 'Good' },
        news: 'x',
      },
      { age: 1e20, stars: -0.25, pets: { a: 1 }, away: ['[', ']'], care: { Kitchen: 'Bad', Food: 'Bad' } },
    ]);
    const { rows } = await read(await exported(form, IDS));
    expect(rows[0]).toMatchObject({ Age_text: 'about 30', Color_text: 'Pink', Born_on_text: 'in spring' });
    expect(rows[0]).toMatchObject({
      Which_pets_do_you_have_1: 1,
      Which_pets_do_you_have_text: '',
      Care_text: 'fine',
      Order_text: 'A, Z',
    });
    expect(rows[1]).toMatchObject({
      Your_name: 'a, b',
      Color_text: '',
      Color: 1,
      Which_pets_do_you_have_1: 0,
    });
    expect(rows[1]).toMatchObject({ Born_on: seconds('2026-01-01'), Care_2: 2, Care_text: 'Food: Soso' });
    expect(rows[1]).toMatchObject({ Send_me_news_text: 'x' });
    expect(rows[2]).toMatchObject({ Age: 1e20, How_was_it: -0.25, Which_pets_do_you_have_text: '{"a":1}' });
    expect(rows[2]).toMatchObject({ Away_text: '[, ]', Care_1: 1, Care_text: 'Kitchen: Bad' });
    expect(Object.keys(rows[2] ?? {})).not.toContain('How_was_it_text');
  });

  test('puts no moment of another zone among times of the respondents’ clocks', async () => {
    const times = { with_time: true };
    const properties = [
      field('at', 'date', 'At', times),
      field('from', 'date', 'From', { ...times, date_range: true }),
    ];
    const form = await home.form({ properties });
    for (const answers of [
      { at: '2024-02-29T23:59', from: ['2024-03-30T08:00', '2024-03-31T08:00'] },
      { at: '2024-03-31T02:30:00+02:00', from: ['2024-03-30T08:00', '2024-03-31T08:00Z'] },
      { at: '2024-03-31T02:30:00Z' },
    ])
      expect((await home.submit(form, answers)).status).toBe(200);
    const { rows } = await read(await exported(form, ['at', 'from']));
    const from = { From: seconds('2024-03-30T08:00Z') };
    expect(rows).toEqual([
      {
        ...{ At: seconds('2024-02-29T23:59Z'), At_text: '' },
        ...{ ...from, From_to: seconds('2024-03-31T08:00Z'), From_text: '' },
      },
      {
        ...{ At: null, At_text: '2024-03-31T02:30:00+02:00' },
        ...{ ...from, From_to: null, From_text: '2024-03-30T08:00, 2024-03-31T08:00Z' },
      },
      { At: null, At_text: '2024-03-31T02:30:00Z', From: null, From_to: null, From_text: '' },
    ]);
  });

  test('tells a text that is written like a list from a list', async () => {
    const id = 'pets';
    const form = await home.form({ properties: [field(id, 'text', 'Pets')] });
    await home.submit(form, { [id]: '["Dog"]' });
    const properties = [field(id, 'multi_select', 'Pets', { options: ['Dog'] })];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    await home.submit(form, { [id]: ['Dog'] });
    const { rows } = await read(await exported(form, [id]));
    expect(rows).toEqual([
      { Pets_1: 0, Pets_text: '["Dog"]' },
      { Pets_1: 1, Pets_text: '' },
    ]);
  });

  test('of no submissions has its variables', async () => {
    const form = await home.form({ properties: FIELDS });
    const { rows, variables } = await read(await exported(form, IDS));
    expect([rows, variables.length]).toEqual([[], 14]);
  });

  test('with many submissions is a job, whose progress is of both readings', async () => {
    const form = await home.form({ properties: FIELDS });
    await storeMany(home.service, form.id, 'name', 3_000);
    const started = await exported(form, IDS);
    const { file_url: url, processed_submissions: count } = await finishedJob(home, form, started);
    expect(count).toBe(3_000);
    const { rows } = await read(await fetch(url));
    expect(rows.map(({ Your_name }) => Your_name)).toEqual(
      Array.from({ length: 3_000 }, (_, index) => `answer ${index + 1}`),
    );
  });

  test('may have a case for each entry of repeated questions', async () => {
    const who = [field('who', 'text', 'Who'), field('meal', 'select', 'Meal', { options: ['Fish', 'Soup'] })];
    const form = await home.form({
      properties: [field('guests', 'repeat', 'Guests', { questions: who })],
    });
    const guests = [
      { who: 'Ann', meal: 'Soup' },
      { who: 'Ben', meal: 'Fish' },
    ];
    expect((await home.submit(form, { guests })).status).toBe(200);
    const { rows, labelsOf } = await read(await exported(form, ['id', 'guests'], { entries_of: 'guests' }));
    expect(rows.toReversed()).toEqual([
      { id: expect.any(Number), entry: 1, Who: 'Ann', Meal: 2 },
      { id: expect.any(Number), entry: 2, Who: 'Ben', Meal: 1 },
    ]);
    expect(labelsOf('Meal')).toEqual(labels('Fish', 'Soup'));
  });

  test('that nobody waits for any more gives its connection back, in either reading', async () => {
    const form = await home.form({ properties: FIELDS });
    await storeSubmissions(
      home.service,
      form.id,
      Array.from({ length: LIMIT - 1 }, () => ({ name: 'x'.repeat(200_000) })),
    );
    for (let times = 0; times < 8; times++) {
      const leaving = new AbortController();
      const answer = exported(form, IDS, {}, leaving.signal);
      setTimeout(() => leaving.abort(), times * 15);
      await answer.then((response) => response.arrayBuffer()).catch(() => {});
    }
    const { rows } = await read(await exported(form, IDS));
    expect(rows).toHaveLength(LIMIT - 1);
  });
});
