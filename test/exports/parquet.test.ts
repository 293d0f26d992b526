import { describe, expect, test } from 'vitest';
import { PNG, upload } from '../files/upload.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { readParquet } from './parquet-reader.ts';
import { storeSubmissions } from './stored-submissions.ts';

/** Answers as a Parquet file. */
const home = useHome();

const field = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });

const FIELDS = [
  field('name', 'text', 'Your name?'),
  field('age', 'number', 'Age'),
  field('guests', 'number', 'Guests', { whole_number: true }),
  field('stars', 'rating', 'How was it?'),
  field('step', 'scale', 'Half steps', { scale_step_value: 0.5 }),
  field('news', 'checkbox', 'Send me news'),
  field('color', 'select', 'Color', { options: ['Red', 'Blau ü'] }),
  field('born', 'date', 'Born on'),
  field('meet', 'date', 'Meet', { with_time: true }),
  field('away', 'date', 'Away', { date_range: true }),
  field('where', 'location', 'Place'),
  field('pets', 'multi_select', 'Pets', { options: ['Cat, small', 'Dog'], allow_creation: true }),
  field('rank', 'ranking', 'Best of', { options: ['A', 'B', 'C'] }),
  field('care', 'matrix', 'Care', { rows: ['Room', '1', 'Other'], columns: ['Bad', 'Good'] }),
  field('sum', 'computed', 'Sum'),
  field('children', 'repeat', 'Children', {
    questions: [
      field('who', 'text', 'Name'),
      field('age', 'number', 'Age', { whole_number: true }),
      field('swims', 'checkbox', 'Swims'),
      field('stay', 'date', 'Stay', { date_range: true }),
      field('likes', 'multi_select', 'Likes', { options: ['Ball', 'Chess'] }),
    ],
  }),
];
const IDS = FIELDS.map(({ id }) => id);

const aForm = (properties: object[] = FIELDS, more = {}) =>
  home.form({ title: 'Survey', properties, ...more });

async function exported(form: { id: number }, columns: string[], more = {}) {
  const answer = await download(home, form, 'parquet', columns, more);
  expect(answer.status).toBe(200);
  return readParquet(Buffer.from(await answer.arrayBuffer()));
}

describe('a file', () => {
  test('has typed columns, lists where there may be several answers, and null without one', async () => {
    const form = await aForm();
    const answers = {
      name: 'Ada',
      age: 36.5,
      guests: 3,
      stars: 4,
      step: 2.5,
      news: true,
      color: 'Blau ü',
      born: '1815-12-10',
      meet: '2026-01-02T10:30',
      away: ['2026-01-02', '2026-01-03'],
      where: '-52.5, 13.4 ±12 m',
      pets: ['Dog', 'Newt'],
      rank: ['B', 'C', 'A'],
      care: { Other: 'Good', Room: 'Bad' },
      sum: { net: [1, null] },
      children: [
        { who: 'Eva', age: 3, swims: false, stay: ['2026-01-02', '2026-01-03'], likes: ['Chess', 'Ball'] },
        { who: 'Tom', likes: ['Ball'] },
      ],
      completion_time: 12.5,
    };
    for (const one of [answers, { name: 'Ben', news: false, pets: ['Dog'] }, {}])
      expect((await home.submit(form, one)).status).toBe(200);
    const answer = await download(home, form, 'parquet', ['id', ...IDS, 'created_at', 'completion_time']);
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.parquet"`);
    expect(answer.headers.get('content-encoding')).toBe(null);
    const { rows, columns, groups } = await readParquet(Buffer.from(await answer.arrayBuffer()));
    expect(columns).toEqual([
      ...['id INT64', 'your_name STRING', 'age DOUBLE', 'guests INT64', 'how_was_it INT32'],
      ...['half_steps DOUBLE', 'send_me_news BOOLEAN', 'color STRING', 'born_on DATE', 'meet TIMESTAMP'],
      ...['away DATE', 'away__to DATE', 'place STRING', 'place__latitude DOUBLE', 'place__longitude DOUBLE'],
      ...[
        'pets STRING[]',
        'best_of STRING[]',
        'care__room STRING',
        'care__q_1 STRING',
        'care__other_2 STRING',
      ],
      ...['sum STRING', 'children.name STRING', 'children.age INT64', 'children.swims BOOLEAN'],
      ...['children.stay DATE', 'children.stay__to DATE', 'children.likes STRING[]'],
      ...['created_at UTC', 'completion_time DOUBLE'],
    ]);
    expect(groups).toEqual([3]);
    const [{ id: third }, { id: second }, { id: first, created_at: createdAt }] = await home.records(form);
    const [ada, ben, nobody] = rows;
    expect(ada).toEqual({
      id: first,
      your_name: 'Ada',
      age: 36.5,
      guests: 3,
      how_was_it: 4,
      half_steps: 2.5,
      send_me_news: true,
      color: 'Blau ü',
      born_on: '1815-12-10',
      meet: '2026-01-02T10:30:00.000',
      away: '2026-01-02',
      away__to: '2026-01-03',
      place: '-52.5, 13.4 ±12 m',
      place__latitude: -52.5,
      place__longitude: 13.4,
      pets: ['Dog', 'Newt'],
      best_of: ['B', 'C', 'A'],
      care__room: 'Bad',
      care__q_1: null,
      care__other_2: 'Good',
      sum: '{"net":[1,null]}',
      children: [
        {
          name: 'Eva',
          age: 3,
          swims: false,
          stay: '2026-01-02',
          stay__to: '2026-01-03',
          likes: ['Chess', 'Ball'],
        },
        { name: 'Tom', age: null, swims: null, stay: null, stay__to: null, likes: ['Ball'] },
      ],
      created_at: new Date(createdAt).toISOString(),
      completion_time: 12.5,
    });
    expect(ben).toMatchObject({
      id: second,
      your_name: 'Ben',
      age: null,
      send_me_news: false,
      pets: ['Dog'],
    });
    const { id, created_at: _, ...rest } = nobody ?? {};
    expect([id, ...new Set(Object.values(rest))]).toEqual([third, null]);
  });

  test('without submissions has its columns', async () => {
    const { rows, columns, groups } = await exported(await aForm(), ['age', 'children', 'status']);
    expect([rows, groups]).toEqual([[], []]);
    expect(columns).toEqual([
      ...['age DOUBLE', 'children.name STRING', 'children.age INT64', 'children.swims BOOLEAN'],
      ...['children.stay DATE', 'children.stay__to DATE', 'children.likes STRING[]', 'status STRING'],
    ]);
  });

  test('tells where the answers to each question are, and what can be chosen', async () => {
    const { fields } = await exported(await aForm(), ['children', 'away', 'pets', 'care', 'status']);
    const likes = { id: 'likes', name: 'Likes', type: 'multi_select', columns: ['children.likes'] };
    expect(fields).toMatchObject([
      { id: 'children', name: 'Children', type: 'repeat', questions: [{ id: 'who' }, {}, {}, {}, likes] },
      { id: 'away', name: 'Away', type: 'date', columns: ['away', 'away__to'] },
      { id: 'pets', name: 'Pets', columns: ['pets'], options: ['Cat, small', 'Dog'] },
      {
        id: 'care',
        rows: ['Room', '1', 'Other'],
        options: ['Bad', 'Good'],
        columns: ['care__room', 'care__q_1', 'care__other_2'],
      },
    ]);
  });

  test('tells of a submission what the API does, complete or not, the oldest first', async () => {
    const form = await aForm(FIELDS, { enable_partial_submissions: true });
    await home.submit(form, { name: 'Ada', tracking_parameters: { utm_source: 'a "b"' } });
    await home.submit(form, { name: 'Ben', is_partial: true });
    const records = (await home.records(form)).toReversed();
    const columns = ['status', 'submission_id', 'updated_at', 'review_state', 'meta.attribution.utm_source'];
    const { rows } = await exported(form, columns);
    expect(rows).toEqual(
      records.map(({ status, submission_id, updated_at }, index) => ({
        status,
        submission_id,
        updated_at: new Date(updated_at).toISOString(),
        review_state: 'received',
        utm_source: index === 0 ? 'a "b"' : null,
      })),
    );
    expect(rows.map(({ status }) => status)).toEqual(['completed', 'partial']);
  });

  test('has links to files', async () => {
    const form = await aForm([field('cv', 'files', 'CV')]);
    const { reference } = (await upload(home.service, form, 'cv', PNG, 'me.png')).body;
    await home.submit(form, { cv: [reference] });
    const { rows, columns } = await exported(form, ['cv']);
    expect(columns).toEqual(['cv STRING[]']);
    const [[link]] = rows.map(({ cv }) => cv) as [[string]];
    const file = await fetch(link);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
  });
});

describe('answers', () => {
  test('are the same texts, whatever they contain', async () => {
    const form = await aForm([field('text', 'text', 'Text'), field('many', 'multi_select', 'Many')]);
    const texts = [
      ...['=1+1', '-5', '007', "'=x", 'a\tb\nc\\d "e"', '\u0001\u001f\u007f \u2028 \\. </script>'],
      ...['😀 \u{10ffff} \uffff', '', ' ', '\\N', 'null', 'é'.repeat(70_000)],
    ];
    await storeSubmissions(
      home.service,
      form.id,
      texts.map((text) => ({ text, many: [text, text] })),
    );
    const { rows } = await exported(form, ['text', 'many']);
    expect(rows).toEqual(texts.map((text) => ({ text, many: [text, text] })));
  });

  test('that are numbers keep every digit', async () => {
    const form = await aForm();
    const numbers = [0, -1, 1e-7, 0.1 + 0.2, 1e300, -(2 ** 53) + 1, 2 ** 31, -(2 ** 31), 4_294_967_296];
    await storeSubmissions(
      home.service,
      form.id,
      numbers.map((age) => ({ age, guests: age, stars: age })),
    );
    const { rows } = await exported(form, ['age', 'guests', 'stars']);
    expect(rows.map(({ age }) => age)).toEqual(numbers);
    const isWhole = (number: number) => Number.isSafeInteger(number);
    expect(rows.map(({ guests }) => guests)).toEqual(numbers.map((n) => (isWhole(n) ? n : null)));
    expect(rows.map(({ guests__text: text }) => text && Number(text))).toEqual(
      numbers.map((n) => (isWhole(n) ? null : n)),
    );
    expect(rows.map(({ how_was_it: stars }) => stars).slice(0, 2)).toEqual([0, -1]);
    expect(rows.at(6)).toMatchObject({ how_was_it: null, how_was_it__text: '2147483648' });
  });

  test('that do not fit their question, which was another one before, are in a column of texts', async () => {
    const form = await aForm();
    await storeSubmissions(home.service, form.id, [
      { name: ['a', 'b'], age: 'many', news: 'perhaps', color: { a: 1 }, born: ['2026-01-01', '2026-01-02'] },
      { away: '2026-01-01', where: 'at home', pets: 'Dog', rank: 7, care: 'none', children: 'nobody' },
      {
        name: 5,
        age: '12.5',
        guests: '007',
        news: 'true',
        meet: '2026-01-02T10:30+02:00',
        born: '2026-01-02T10:30',
        away: ['1', '2', '3'],
        care: { Gone: 'Good', '1': 'Bad', Left: null },
        pets: [1, null],
        children: [1, { who: 2 }],
        sum: ['a', 5],
      },
      {
        name: '',
        age: null,
        pets: [],
        care: {},
        children: [],
        meet: '2026-01-02',
        away: ['2026-01-02', null],
      },
      { children: [{ who: null, age: 2.5, likes: 'Ball' }, {}, { likes: [] }] },
    ]);
    const { rows, columns } = await exported(form, IDS);
    const spare = columns.filter((name) => /__(text|other) /.test(name));
    expect(spare).toEqual([
      ...['age__text STRING', 'guests__text STRING', 'send_me_news__text STRING', 'born_on__text STRING'],
      ...['meet__text STRING', 'away__text STRING', 'care__other STRING', 'children.age__text STRING'],
      'children__text STRING',
    ]);
    const [first, second, third, fourth, fifth] = rows;
    expect(first).toMatchObject({
      your_name: 'a, b',
      age: null,
      age__text: 'many',
      send_me_news: null,
      send_me_news__text: 'perhaps',
      color: '{"a":1}',
      born_on: null,
      born_on__text: '2026-01-01, 2026-01-02',
    });
    expect(second).toMatchObject({ away: '2026-01-01', away__to: null, away__text: null });
    expect(second).toMatchObject({ place: 'at home', place__latitude: null, pets: ['Dog'], best_of: ['7'] });
    expect(second).toMatchObject({ care__other: 'none', children: null, children__text: 'nobody' });
    expect(third).toMatchObject({
      your_name: '5',
      age: 12.5,
      age__text: null,
      guests: null,
      guests__text: '007',
      send_me_news: true,
      meet: null,
      meet__text: '2026-01-02T10:30+02:00',
      born_on__text: '2026-01-02T10:30',
      away: null,
      away__text: '1, 2, 3',
      care__q_1: 'Bad',
      care__other: 'Gone: Good',
      pets: ['1', null],
      children: null,
      children__text: '1, {"who":2}',
      sum: '["a",5]',
    });
    expect(fourth).toMatchObject({ your_name: '', age: null, pets: [], children: [], children__text: null });
    expect(fourth).toMatchObject({
      meet: '2026-01-02',
      away: '2026-01-02',
      away__to: null,
      care__other: null,
    });
    const entry = { name: null, age: null, age__text: null, swims: null, stay: null, stay__to: null };
    expect(fifth?.children).toEqual([
      { ...entry, age__text: '2.5', likes: ['Ball'] },
      { ...entry, likes: null },
      { ...entry, likes: [] },
    ]);
  });
});

test('names stay the same, whichever columns are asked for in which order, and of removed questions too', async () => {
  const two = [field('a', 'text', 'Name'), field('b', 'multi_select', 'Name'), field('c', 'text', 'Gone')];
  const form = await aForm(two);
  await storeSubmissions(home.service, form.id, [{ a: 'Ada', b: ['x'], c: 'before' }]);
  expect((await exported(form, ['b', 'a'])).rows).toEqual([{ name_2: ['x'], name: 'Ada' }]);
  const renamed = [field('a', 'text', 'Name'), field('b', 'multi_select', 'Names of all')];
  const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: renamed });
  expect(saved.status).toBe(200);
  expect((await exported(form, ['c', 'b'])).rows).toEqual([{ gone: 'before', names_of_all: ['x'] }]);
});

test('columns about submissions keep name and type beside questions that are called the same', async () => {
  const form = await aForm([field('a', 'text', 'completion_time'), field('b', 'text', 'status')]);
  await home.submit(form, { a: 'long', b: 'well', completion_time: 12.5 });
  const { rows, columns } = await exported(form, ['a', 'b', 'completion_time', 'status']);
  expect(columns).toEqual([
    'completion_time_2 STRING',
    'status_2 STRING',
    'completion_time DOUBLE',
    'status STRING',
  ]);
  expect(rows).toEqual([
    { completion_time_2: 'long', status_2: 'well', completion_time: 12.5, status: 'completed' },
  ]);
});

describe('what is asked for', () => {
  test('may be some submissions, by number or filter', async () => {
    const form = await aForm();
    for (const name of ['Ada', 'Ben', 'Cem']) await home.submit(form, { name, pets: [name] });
    const [{ id }] = await home.records(form);
    const some = await exported(form, ['pets'], { submissionIds: [id] });
    expect(some.rows).toEqual([{ pets: ['Cem'] }]);
  });

  test('has the entries and the parts of answers anyway, and no more columns than a file takes', async () => {
    const form = await aForm();
    const path = `/open/forms/${form.id}/submissions/export`;
    const body = { columns: { children: true }, format: 'parquet' };
    expectInvalid(await home.call('POST', path, { ...body, entries_of: 'children' }), 'entries_of');
    expectInvalid(await home.call('POST', path, { ...body, split_answers: true }), 'split_answers');
    // A column for each row, and one for what was said of others.
    const rows = Array.from({ length: 1_998 }, (_, n) => `Row ${n}`);
    const wide = await aForm([
      field('care', 'matrix', 'Care', { rows, columns: ['Good'] }),
      ...['name', 'more'].map((name) => field(name, 'text', name)),
    ]);
    await home.submit(wide, { care: { 'Row 7': 'Good', 'Row 1997': 'Good' }, name: 'Ada' });
    const most = await exported(wide, ['care', 'name']);
    expect(most.columns).toHaveLength(1_999);
    const said = Object.entries(most.rows[0] ?? {}).filter(([, value]) => value !== null);
    expect(said.map(([name]) => name)).toEqual(['care__row_7', 'care__row_1997', 'name']);
    const refused = await download(home, wide, 'parquet', ['care', 'name', 'more']);
    expect(refused.status).toBe(422);
    expect((await refused.json()) as any).toMatchObject({
      errors: { format: ['A Parquet file has 2,000 columns at most.'] },
    });
  });
});
