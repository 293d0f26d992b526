import { describe, expect, test } from 'vitest';
import { expectInvalid, useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { readSqlite } from './sqlite-reader.ts';
import { storeSubmissions } from './stored-submissions.ts';

/** Answers as a database. */
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
  field('away', 'date', 'Away', { date_range: true, with_time: true }),
  field('where', 'location', 'Place'),
  field('pets', 'multi_select', 'Pets', { options: ['Cat, small', 'Dog'], allow_creation: true }),
  field('rank', 'ranking', 'Best of', { options: ['A', 'B', 'C'] }),
  field('care', 'matrix', 'Care', { rows: ['Room', '1', 'Food'], columns: ['Bad', 'Good'] }),
  field('children', 'repeat', 'Children', {
    questions: [
      field('who', 'text', 'Name'),
      field('age', 'number', 'Age', { whole_number: true }),
      field('swims', 'checkbox', 'Swims'),
      field('stay', 'date', 'Stay', { date_range: true }),
      field('likes', 'multi_select', 'Likes', { options: ['Ball', 'Chess'] }),
      field('again', 'text', 'Position'),
    ],
  }),
];
const IDS = FIELDS.map(({ id }) => id);
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const aForm = (properties: object[] = FIELDS) => home.form({ title: 'Survey', properties });

async function exported(form: { id: number }, columns: string[], more = {}) {
  const answer = await download(home, form, 'sqlite', columns, more);
  expect(answer.status).toBe(200);
  return readSqlite(Buffer.from(await answer.arrayBuffer()));
}

/** The names in the database of a form that has one text question for each of these. */
async function namesOf(...names: string[]) {
  const properties = names.map((name, n) => field(`q${n}`, 'text', name));
  const form = await aForm(properties);
  const database = await exported(
    form,
    properties.map(({ id }) => id),
  );
  return {
    form,
    database,
    words: database.all('select column_name from fields order by position').map((row) => row.column_name),
  };
}

describe('a database', () => {
  test('has a table of the submissions, and one for each question that may have several answers', async () => {
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
      away: ['2026-01-02T10:30', '2026-01-03T08:00+02:00'],
      where: '-52.5, 13.4 ±12 m',
      pets: ['Dog', 'Newt'],
      rank: ['B', 'C', 'A'],
      care: { Food: 'Good', Room: 'Bad', '1': 'Good' },
      children: [
        { who: 'Eva', age: 3, swims: false, stay: ['2026-01-02', '2026-01-03'], likes: ['Chess', 'Ball'] },
        { who: 'Tom', again: 'first', likes: ['Ball'] },
      ],
      completion_time: 12.5,
    };
    for (const one of [answers, { name: 'Ben', news: false, pets: ['Dog'] }, {}])
      expect((await home.submit(form, one)).status).toBe(200);
    const answer = await download(home, form, 'sqlite', [...IDS, 'created_at', 'completion_time']);
    expect(answer.headers.get('content-type')).toBe('application/vnd.sqlite3');
    expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.sqlite"`);
    const { all, tables, columnsOf } = readSqlite(Buffer.from(await answer.arrayBuffer()));
    expect(tables).toEqual([
      ...['submissions', 'pets', 'best_of', 'care', 'children', 'children__likes', 'fields'],
    ]);
    expect(columnsOf('submissions')).toEqual([
      ...['id INTEGER', 'your_name TEXT', 'age REAL', 'guests INTEGER', 'how_was_it INTEGER'],
      ...['half_steps REAL', 'send_me_news INTEGER', 'color TEXT', 'born_on TEXT', 'away TEXT'],
      ...['away__to TEXT', 'place TEXT', 'place__latitude REAL', 'place__longitude REAL'],
      ...['created_at TEXT', 'completion_time REAL'],
    ]);
    const [{ id: third }, { id: second }, { id: first, created_at: createdAt }] = await home.records(form);
    const [ada, ben, nobody] = all('select * from submissions order by id');
    expect(ada).toEqual({
      id: first,
      your_name: 'Ada',
      age: 36.5,
      guests: 3,
      how_was_it: 4,
      half_steps: 2.5,
      send_me_news: 1,
      color: 'Blau ü',
      born_on: '1815-12-10',
      away: '2026-01-02T10:30',
      away__to: '2026-01-03T08:00+02:00',
      place: '-52.5, 13.4 ±12 m',
      place__latitude: -52.5,
      place__longitude: 13.4,
      created_at: new Date(createdAt).toISOString(),
      completion_time: 12.5,
    });
    expect(ben).toMatchObject({ id: second, your_name: 'Ben', age: null, send_me_news: 0, away: null });
    const { id, created_at: _, ...rest } = nobody ?? {};
    expect([id, ...new Set(Object.values(rest))]).toEqual([third, null]);

    const item = (submission_id: number, position: number, value: string) => ({
      submission_id,
      position,
      value,
    });
    expect(all('select * from pets')).toEqual([
      item(first, 1, 'Dog'),
      item(first, 2, 'Newt'),
      item(second, 1, 'Dog'),
    ]);
    expect(all('select value from best_of order by position')).toEqual(
      ['B', 'C', 'A'].map((value) => ({ value })),
    );
    expect(all('select * from care')).toEqual([
      { submission_id: first, position: 1, row_name: 'Room', value: 'Bad' },
      { submission_id: first, position: 2, row_name: '1', value: 'Good' },
      { submission_id: first, position: 3, row_name: 'Food', value: 'Good' },
    ]);
    expect(columnsOf('children')).toEqual([
      ...['submission_id INTEGER', 'position INTEGER', 'name TEXT', 'age INTEGER', 'swims INTEGER'],
      ...['stay TEXT', 'stay__to TEXT', 'position_2 TEXT'],
    ]);
    expect(all('select * from children')).toEqual([
      {
        submission_id: first,
        position: 1,
        name: 'Eva',
        age: 3,
        swims: 0,
        position_2: null,
        stay: '2026-01-02',
        stay__to: '2026-01-03',
      },
      {
        submission_id: first,
        position: 2,
        name: 'Tom',
        age: null,
        swims: null,
        position_2: 'first',
        stay: null,
        stay__to: null,
      },
    ]);
    expect(all('select entry, position, value from children__likes')).toEqual([
      { entry: 1, position: 1, value: 'Chess' },
      { entry: 1, position: 2, value: 'Ball' },
      { entry: 2, position: 1, value: 'Ball' },
    ]);
    // Keys are declared, so that programs can draw the right diagram.
    const references = all(`select "from", "table", "to" from pragma_foreign_key_list('children__likes')`);
    expect(references).toEqual([
      { from: 'submission_id', table: 'children', to: 'submission_id' },
      { from: 'entry', table: 'children', to: 'position' },
    ]);
    expect(all(`select "from", "table", "to" from pragma_foreign_key_list('pets')`)).toEqual([
      { from: 'submission_id', table: 'submissions', to: 'id' },
    ]);
    // The query that the documentation shows.
    expect(
      all(
        `select how_was_it, count(*) as people from submissions join pets on pets.submission_id = submissions.id
         where pets.value = 'Dog' group by how_was_it order by 1`,
      ),
    ).toEqual([
      { how_was_it: null, people: 1 },
      { how_was_it: 4, people: 1 },
    ]);
  });

  test('tells in a table where the answers to each question are', async () => {
    const form = await aForm();
    const columns = ['children', 'away', 'where', 'pets', 'care', 'status'];
    const { all } = await exported(form, columns);
    const of = (
      id: string,
      name: string,
      type: string,
      table: string,
      column: string | null,
      parent = null,
    ) => ({
      field_id: id,
      parent_id: parent as string | null,
      name,
      type,
      table_name: table,
      column_name: column,
    });
    const asked = (id: string, name: string, type: string, column: string, table = 'children') => ({
      ...of(id, name, type, table, column),
      parent_id: 'children',
    });
    expect(
      all('select field_id, parent_id, name, type, table_name, column_name from fields order by position'),
    ).toEqual([
      of('children', 'Children', 'repeat', 'children', null),
      asked('who', 'Name', 'text', 'name'),
      asked('age', 'Age', 'number', 'age'),
      asked('swims', 'Swims', 'checkbox', 'swims'),
      asked('stay', 'Stay', 'date', 'stay'),
      asked('stay', 'Stay', 'date', 'stay__to'),
      asked('likes', 'Likes', 'multi_select', 'value', 'children__likes'),
      asked('again', 'Position', 'text', 'position_2'),
      of('away', 'Away', 'date', 'submissions', 'away'),
      of('away', 'Away', 'date', 'submissions', 'away__to'),
      of('where', 'Place', 'location', 'submissions', 'place'),
      of('where', 'Place', 'location', 'submissions', 'place__latitude'),
      of('where', 'Place', 'location', 'submissions', 'place__longitude'),
      of('pets', 'Pets', 'multi_select', 'pets', 'value'),
      of('care', 'Care', 'matrix', 'care', 'value'),
    ]);
  });

  test('tells of a submission what the API does, whether or not its number is asked for', async () => {
    const form = await aForm();
    await home.submit(form, { name: 'Ada', tracking_parameters: { utm_source: 'a "b"' } });
    const [record] = await home.records(form);
    const columns = ['status', 'id', 'submission_id', 'review_state', 'meta.attribution.utm_source', 'name'];
    const { all, columnsOf } = await exported(form, columns);
    expect(all('select * from submissions')).toEqual([
      {
        id: record.id,
        status: 'completed',
        public_id: record.submission_id,
        review_state: 'received',
        utm_source: 'a "b"',
        your_name: 'Ada',
      },
    ]);
    expect(columnsOf('submissions')[0]).toBe('id INTEGER');
    expect((await exported(form, ['name'])).columnsOf('submissions')).toEqual([
      'id INTEGER',
      'your_name TEXT',
    ]);
  });

  test('has files by their links', async () => {
    const form = await aForm([field('sign', 'signature', 'Signature'), field('cv', 'files', 'CV')]);
    expect((await home.submit(form, { sign: PICTURE })).status).toBe(200);
    await storeSubmissions(home.service, form.id, [{ cv: ['one', 'two'] }]);
    const { all } = await exported(form, ['sign', 'cv']);
    const [{ value: url }] = all('select value from signature') as [{ value: string }];
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
    expect(all('select value from cv')).toEqual([{ value: 'one' }, { value: 'two' }]);
  });
});

describe('values', () => {
  test('are what was answered, whatever it is made of', async () => {
    const form = await aForm();
    const texts = [
      ...[`O'Brien "quoted"`, 'a\tb\nc\r\n\\d \\N', '\\.', '=1+1', '😀 e\u0301 \u2028 عربى \u0001\u007f'],
      ...['\\', '"', '{"a": [1]}', '[]', 'null', '0x00', ' ', 'x'.repeat(200_000)],
    ];
    const numbers = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0, 0.1, 1e-7, -0.5];
    await storeSubmissions(home.service, form.id, [
      ...texts.map((name) => ({ name, pets: [name], children: [{ who: name }] })),
      ...numbers.map((age) => ({ age, guests: age })),
    ]);
    const { all } = await exported(form, IDS);
    for (const table of ['your_name from submissions', 'value from pets', 'name from children']) {
      const [column = ''] = table.split(' ');
      const found = all(`select ${table} where ${column} is not null`);
      expect(found.map((row) => row[column])).toEqual(texts);
    }
    const stored = all('select age, guests, typeof(age) as type from submissions where age is not null');
    expect(stored).toEqual(numbers.map((age) => ({ age, guests: age, type: 'real' })));
    expect(
      all(`select distinct typeof(guests) as type from submissions where guests = round(guests)`),
    ).toEqual([{ type: 'integer' }]);
  });

  test('that do not fit their question, which was another one before, are text or have no place', async () => {
    const form = await aForm();
    await storeSubmissions(home.service, form.id, [
      { name: ['a', 'b'], age: 'many', news: 'perhaps', color: { a: 1 }, born: ['2026-01-01', '2026-01-02'] },
      { away: '2026-01-01', where: 'at home', pets: 'Dog', rank: 7, care: 'none', children: 'nobody' },
      {
        name: 5,
        age: true,
        away: ['1', '2', '3'],
        care: ['a', null],
        pets: [1, null],
        children: [1, { who: 2 }],
      },
      { name: '', age: null, pets: [], care: {}, children: [] },
    ]);
    const { all } = await exported(form, IDS);
    const [first, second, third, fourth] = all('select * from submissions order by id');
    expect(first).toMatchObject({
      your_name: 'a, b',
      age: 'many',
      send_me_news: 'perhaps',
      color: '{"a":1}',
      born_on: '2026-01-01, 2026-01-02',
    });
    expect(second).toMatchObject({
      away: '2026-01-01',
      away__to: null,
      place: 'at home',
      place__latitude: null,
    });
    expect(third).toMatchObject({ your_name: '5', age: 'true', away: '1, 2, 3', away__to: null });
    expect(fourth).toMatchObject({ your_name: '', age: null });
    expect(all('select value from pets').map(({ value }) => value)).toEqual(['Dog', '1', '']);
    expect(all('select value from best_of')).toEqual([{ value: '7' }]);
    expect(all('select row_name, value from care')).toEqual([
      { row_name: null, value: 'none' },
      { row_name: null, value: 'a' },
      { row_name: null, value: '' },
    ]);
    expect(all('select position, name from children')).toEqual([{ position: 2, name: '2' }]);
  });
});

describe('names', () => {
  test('are typed without quotes, whatever a question is called', async () => {
    const names = [
      ...[
        'Order',
        'Full name',
        'FULL  NAME!',
        'full_name',
        '2nd choice',
        '???',
        '…',
        'Größe (cm)',
        '年齢',
        'ID',
      ],
      ...[
        'Status',
        'Submissions',
        'fields',
        'sqlite_x',
        'a; drop table submissions; --',
        '"',
        'Rowid',
        '__proto__',
      ],
      ...['How satisfied are you with all that our team has done for you this year?', 'x'.repeat(300)],
    ];
    const { words, database } = await namesOf(...names);
    expect(words).toEqual([
      ...['q_order', 'full_name', 'full_name_2', 'full_name_3', 'q_2nd_choice', 'question', 'question_2'],
      ...['größe_cm', '年齢', 'id_2', 'status_2', 'submissions_2', 'fields_2', 'q_sqlite_x'],
      ...['a_drop_table_submissions', 'question_3', 'q_rowid', 'proto'],
      ...['how_satisfied_are_you_with_all_that_our_team_has', 'x'.repeat(48)],
    ]);
    expect(database.all(`select ${words.join(', ')} from submissions`)).toEqual([]);
    expect(database.all('select name from fields order by position').map(({ name }) => name)).toEqual(names);
  });

  test('may be words of the language of databases', async () => {
    // Only some keywords: SQLite accepts others as names today.
    const keywords =
      'select,from,where,group,by,having,limit,values,table,index,join,left,on,and,or,not,null,case,when';
    const names = [
      ...keywords.split(','),
      'END',
      'Default',
      'check',
      'Primary',
      'References',
      'true',
      'row',
      'key',
    ];
    const { words, database } = await namesOf(...names);
    expect(words).toEqual(names.map((name) => `q_${name.toLowerCase()}`));
    expect(database.all(`select ${words.join(', ')} from submissions`)).toEqual([]);
  });

  test('stay the same, whichever columns are asked for in which order, and of removed questions too', async () => {
    const two = [field('a', 'text', 'Name'), field('b', 'multi_select', 'Name'), field('c', 'text', 'Gone')];
    const form = await aForm(two);
    await storeSubmissions(home.service, form.id, [{ a: 'Ada', b: ['x'], c: 'before' }]);
    const renamed = [field('a', 'text', 'Name'), field('b', 'multi_select', 'Names of all')];
    const { columnsOf, all } = await exported(form, ['b', 'a']);
    expect(columnsOf('submissions')).toEqual(['id INTEGER', 'name TEXT']);
    expect(all('select value from name_2')).toEqual([{ value: 'x' }]);
    expect((await exported(form, ['b'])).tables).toEqual(['submissions', 'name_2', 'fields']);
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: renamed });
    expect(saved.status).toBe(200);
    const later = await exported(form, ['c', 'b']);
    expect(later.all('select gone, value from submissions join names_of_all on submission_id = id')).toEqual([
      { gone: 'before', value: 'x' },
    ]);
  });
});

describe('what is asked for', () => {
  test('may be some submissions, by number or filter', async () => {
    const form = await aForm();
    for (const name of ['Ada', 'Ben', 'Cem']) await home.submit(form, { name, pets: [name] });
    const [{ id }] = await home.records(form);
    const some = await exported(form, ['name', 'pets'], { submissionIds: [id] });
    expect(some.all('select your_name, value from submissions join pets on submission_id = id')).toEqual([
      { your_name: 'Cem', value: 'Cem' },
    ]);
    const path = `/open/forms/${form.id}/submissions/export?search=Ben`;
    const answer = await fetch(`${home.service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ columns: { name: true }, format: 'sqlite' }),
    });
    const found = readSqlite(Buffer.from(await answer.arrayBuffer()));
    expect(found.all('select your_name from submissions')).toEqual([{ your_name: 'Ben' }]);
  });

  test('has the entries anyway, and no more columns than a table takes', async () => {
    const form = await aForm();
    const path = `/open/forms/${form.id}/submissions/export`;
    const body = { columns: { children: true }, format: 'sqlite', entries_of: 'children' };
    expectInvalid(await home.call('POST', path, body), 'entries_of');
    const places = (from: number) =>
      Array.from({ length: 400 }, (_, n) => field(`p${from + n}`, 'location', `Place ${from + n}`));
    const wide = await aForm(places(0));
    await home.call('PUT', `/open/forms/${wide.id}`, { properties: places(400) });
    const columns = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);
    const most = await exported(wide, columns(666));
    expect(most.columnsOf('submissions')).toHaveLength(1 + 3 * 666);
    const refused = await download(home, wide, 'sqlite', columns(667));
    expect(refused.status).toBe(422);
    expect((await refused.json()) as any).toMatchObject({
      errors: { format: [expect.stringContaining('2,000')] },
    });
  });
});
