import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeMany, storeSubmissions } from '../exports/stored-submissions.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { anODataReader, asking, expectODataError, type ODataReader } from './odata-reader.ts';

/** Submissions as an OData service. */
const home = useHome();
const question = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });
const PEOPLE = question('people', 'repeat', 'People', {
  questions: [
    question('who', 'text', 'Who'),
    question('age', 'number', 'Age'),
    question('likes', 'multi_select', 'Likes'),
    question('place', 'text', 'Position'),
  ],
});
const FIELDS = [
  question('name', 'text', 'Your name'),
  question('amount', 'number', 'Amount'),
  question('guests', 'number', 'Guests', { whole_number: true }),
  question('agreed', 'checkbox', 'Agreed'),
  question('day', 'date', 'Day'),
  question('hour', 'date', 'Hour', { with_time: true }),
  question('stay', 'date', 'Stay', { date_range: true }),
  question('where', 'location', 'Where'),
  question('colours', 'multi_select', 'Colours', { options: ['Red', 'Blue, dark'] }),
  question('grid', 'matrix', 'Grid', { rows: ['Food', 'Drink'], columns: ['Good', 'Bad'] }),
  question('cv', 'files', 'CV'),
  question('stars', 'rating', 'Stars'),
  PEOPLE,
];
const FILE = '0b0e7b0e-0000-4000-8000-000000000001';
const FULL = {
  name: "O'Hara",
  amount: 2.5,
  guests: 3,
  agreed: false,
  day: '2026-05-01',
  hour: '2026-05-01T10:30',
  stay: ['2026-05-01', '2026-05-03'],
  where: '48.8582, 2.2945 ±12 m',
  colours: ['Blue, dark', 'Red'],
  grid: { Drink: 'Bad', Food: 'Good' },
  cv: [`cv_${FILE}.pdf`],
  stars: 4,
  people: [
    { who: 'Ann', age: 3, likes: ['a', 'b'] },
    { who: 'Ben', place: 'top' },
  ],
};
/** From before questions had other types. */
const MISFITS = { name: 7, amount: 'some', agreed: 'yes', day: '1 May', grid: { Food: 'Bad', Old: 'Good' } };

let form: any;
let reader: ODataReader;
beforeAll(async () => {
  form = await home.form({ properties: FIELDS });
  await storeSubmissions(home.service, form.id, [
    FULL,
    MISFITS,
    { people: 'none' },
    { people: [{ age: 'x' }] },
  ]);
  reader = await anODataReader(home, form);
});

describe('the service', () => {
  test('names its sets', async () => {
    const { status, headers, body } = await reader.get('');
    expect(status).toBe(200);
    expect(body).toEqual({
      '@odata.context': `${reader.url}$metadata`,
      value: [
        { name: 'Submissions', kind: 'EntitySet', url: 'Submissions' },
        { name: 'Submissions_people', kind: 'EntitySet', url: 'Submissions_people' },
      ],
    });
    expect(headers.get('content-type')).toBe('application/json; odata.metadata=minimal; charset=utf-8');
    expect(headers.get('odata-version')).toBe('4.0');
    expect(headers.get('cache-control')).toBe('no-store');
    const bare = await fetch(reader.url.replace(/\/$/, ''), { redirect: 'error' });
    expect(await bare.json()).toEqual(body);
  });

  test('has every answer, of the type that its question has now', async () => {
    const [full, misfits, none, entry] = await reader.values('Submissions');
    const [stored] = (await home.records(form)).slice(-1);
    expect(full).toEqual({
      id: stored.id,
      created_at: stored.created_at,
      updated_at: stored.updated_at,
      status: 'completed',
      review_state: 'received',
      your_name: "O'Hara",
      amount: 2.5,
      guests: 3,
      agreed: false,
      day: '2026-05-01',
      hour: '2026-05-01T10:30:00',
      stay: '2026-05-01',
      stay__to: '2026-05-03',
      q_where: '48.8582, 2.2945 ±12 m',
      q_where__latitude: 48.8582,
      q_where__longitude: 2.2945,
      colours: 'Blue, dark, Red',
      grid__food: 'Good',
      grid__drink: 'Bad',
      cv: expect.stringContaining(`/open/forms/${form.id}/submissions/file/${FILE}.pdf?expires=`),
      stars: 4,
      answers__other: null,
    });
    expect(misfits).toMatchObject({
      your_name: '7',
      amount: null,
      agreed: null,
      day: null,
      grid__food: 'Bad',
    });
    expect(misfits.answers__other).toBe('Amount: some | Agreed: yes | Day: 1 May | Grid: Old: Good');
    expect(none.answers__other).toBe('People: none');
    expect(entry.answers__other).toBeNull();
  });

  test('has entries in a set of their own, with the number of their submission', async () => {
    const ids = (await reader.values('Submissions?$select=id')).map(({ id }) => id);
    const entries = await reader.values('Submissions_people');
    expect(entries.map(({ submission__created_at, submission__updated_at, ...entry }) => entry)).toEqual([
      {
        submission_id: ids[0],
        position: 1,
        who: 'Ann',
        age: 3,
        likes: 'a, b',
        position_2: null,
        answers__other: null,
      },
      {
        submission_id: ids[0],
        position: 2,
        who: 'Ben',
        age: null,
        likes: null,
        position_2: 'top',
        answers__other: null,
      },
      {
        submission_id: ids[3],
        position: 1,
        who: null,
        age: null,
        likes: null,
        position_2: null,
        answers__other: 'Age: x',
      },
    ]);
    const [{ created_at, updated_at }] = await reader.values('Submissions');
    expect(entries[0]).toMatchObject({
      submission__created_at: created_at,
      submission__updated_at: updated_at,
    });
  });

  test('gives one entity by its key', async () => {
    const [first] = await reader.values('Submissions');
    // Links to files tell the second they were made in, so both are to be read in the same one.
    const inOneSecond = async () => {
      const [[listed], { body }] = await Promise.all([
        reader.values('Submissions'),
        reader.get(`Submissions(${first.id})`),
      ]);
      const { '@odata.context': context, ...entity } = body;
      return [context, isDeepStrictEqual(entity, listed) || { entity, listed }];
    };
    await expect.poll(inOneSecond).toEqual([`${reader.url}$metadata#Submissions/$entity`, true]);
    const entry = await reader.get(`Submissions_people(position=2,submission_id=${first.id})?$select=who`);
    expect(entry.body).toEqual({
      '@odata.context': `${reader.url}$metadata#Submissions_people(who)/$entity`,
      who: 'Ben',
    });
    expectODataError(await reader.get('Submissions(999999)'), 404);
    expectODataError(await reader.get('Submissions(9007199254740993)'), 400);
    for (const key of ['x', '', 'null', 'id=', 'name=1', '1,2', 'id=1=1', "'1'"])
      expectODataError(await reader.get(`Submissions(${encodeURIComponent(key)})`), 400);
    expectODataError(await reader.get('Submissions_people(1)'), 400);
  });

  test('counts', async () => {
    expect((await reader.get('Submissions/$count')).text).toBe('4');
    expect((await reader.get('Submissions_people/$count')).text).toBe('3');
    const counted = await reader.get(asking('Submissions_people/$count', { $filter: 'position eq 2' }));
    expect([counted.text, counted.headers.get('content-type')]).toEqual(['1', 'text/plain; charset=utf-8']);
    const { body } = await reader.get('Submissions?$count=true&$top=1&$select=id');
    expect([body['@odata.count'], body.value.length]).toEqual([4, 1]);
    const none = (await reader.get('Submissions?$count=true&$top=0')).body;
    expect([none['@odata.count'], none.value]).toEqual([4, []]);
  });

  test('gives what is selected', async () => {
    const { body } = await reader.get('Submissions?$select=amount, id&$top=1');
    expect(body['@odata.context']).toBe(`${reader.url}$metadata#Submissions(id,amount)`);
    expect(body.value).toEqual([{ id: expect.any(Number), amount: 2.5 }]);
    expect(Object.keys((await reader.values('Submissions?$select=*'))[0])).toContain('stars');
  });
});

describe('pages', () => {
  let long: any;
  let many: ODataReader;
  beforeAll(async () => {
    long = await home.form({ properties: [aTextField(), PEOPLE] });
    await storeMany(home.service, long.id, TEXT_FIELD_ID, 2_003);
    many = await anODataReader(home, long);
  });

  test('end at 2,000 entities, and lead on', async () => {
    const { values, pages } = await many.all('Submissions?$select=id,name');
    expect([values.length, pages, new Set(values.map(({ id }) => id)).size]).toEqual([2_003, 2, 2_003]);
    expect(values.map(({ name }) => name)).toEqual(values.map((_, index) => `answer ${index + 1}`));
  });

  test.each(['odata.maxpagesize=3', 'maxpagesize=3', 'respond-async, odata.maxpagesize=3; x=1'])(
    'are as short as wanted: %s',
    async (prefer) => {
      const { body, headers } = await many.get('Submissions', { prefer });
      expect(body.value).toHaveLength(3);
      expect(headers.get('preference-applied')).toBe('odata.maxpagesize=3');
    },
  );

  test('never have more entities together than wanted', async () => {
    const path = asking('Submissions', { $top: '7', $skip: '2', $select: 'name', $count: 'true' });
    const { values, pages } = await many.all(path, { prefer: 'odata.maxpagesize=3' });
    expect(pages).toBe(3);
    expect(values.map(({ name }) => name)).toEqual([3, 4, 5, 6, 7, 8, 9].map((n) => `answer ${n}`));
    const { body } = await many.get(path, { prefer: 'odata.maxpagesize=3' });
    expect(body['@odata.count']).toBe(2_003);
    expect(body['@odata.nextLink']).not.toMatch(/\$(?:skip|count)=/);
    expect(body['@odata.nextLink']).toContain('$top=4&');
  });

  test('have the order asked for', async () => {
    const same = 'now() - make_interval(secs => id % 3)';
    await home.service.context.pool.query(`update submissions set created_at = ${same} where form_id = $1`, [
      long.id,
    ]);
    for (const order of ['created_at', 'created_at desc', 'created_at desc,id desc', 'id desc', 'id asc']) {
      const path = asking('Submissions', { $orderby: order, $top: '20', $select: 'id,created_at' });
      const { values } = await many.all(path, { prefer: 'odata.maxpagesize=6' });
      const sign = order.includes('desc') ? -1 : 1;
      const isByTime = order.startsWith('created_at');
      const sorted = values.toSorted(
        (a, b) => sign * ((isByTime && Date.parse(a.created_at) - Date.parse(b.created_at)) || a.id - b.id),
      );
      expect([order, values]).toEqual([order, sorted]);
      expect(new Set(values.map(({ id }) => id)).size).toBe(20);
    }
    for (const order of ['name', 'updated_at', 'created_at,name', 'id desc,created_at', 'created_at desc,id'])
      expectODataError(await many.get(asking('Submissions', { $orderby: order })), 501);
    for (const order of ['nothing', 'id down', 'id asc desc', ','])
      expectODataError(await many.get(asking('Submissions', { $orderby: order })), 400);
  });

  test('end where answers are long, wherever that is', async () => {
    const wide = await home.form({ properties: [aTextField()] });
    const text = Array.from({ length: 50_000 }, (_, n) => `${n}`).join('');
    await storeSubmissions(
      home.service,
      wide.id,
      Array.from({ length: 40 }, () => ({ [TEXT_FIELD_ID]: text })),
    );
    const { values, pages } = await (await anODataReader(home, wide)).all('Submissions?$top=39');
    expect(pages).toBeGreaterThan(1);
    expect(values).toHaveLength(39);
    expect(values.every(({ name }) => name === text)).toBe(true);
  });

  test('of entries go on within a submission', async () => {
    const people = Array.from({ length: 5 }, (_, n) => ({ who: `${n}` }));
    await storeSubmissions(home.service, long.id, [{ people }, { people: [] }, { people }]);
    for (const order of ['submission_id', 'submission_id desc,position desc']) {
      const path = asking('Submissions_people', { $orderby: order, $select: 'who' });
      const { values, pages } = await many.all(path, { prefer: 'odata.maxpagesize=3' });
      expect(pages).toBe(4);
      const whos = [...people, ...people].map(({ who }) => who);
      expect(values.map(({ who }) => who)).toEqual(order.includes('desc') ? whos.toReversed() : whos);
    }
  });

  test('have what came meanwhile at their end', async () => {
    const small = await home.form({ properties: [aTextField()] });
    const other = await anODataReader(home, small);
    for (const name of ['a', 'b', 'c']) await home.submit(small, { [TEXT_FIELD_ID]: name });
    const { body } = await other.get('Submissions', { prefer: 'odata.maxpagesize=2' });
    const [first] = body.value;
    await home.call('DELETE', `/open/forms/${small.id}/submissions/${first.id}`);
    await home.submit(small, { [TEXT_FIELD_ID]: 'd' });
    const rest = await (await fetch(body['@odata.nextLink'])).json();
    expect(rest.value.map(({ name }: any) => name)).toEqual(['c', 'd']);
    expect(rest).not.toHaveProperty(['@odata.nextLink']);
  });
});

describe('formats', () => {
  test.each([
    ['application/json', 'minimal'],
    [
      'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,text/plain',
      'minimal',
    ],
    ['application/json;odata.metadata=none', 'none'],
    ['application/xml, application/json; metadata=none', 'none'],
    ['application/json;odata.metadata=full, */*;q=0.1', 'minimal'],
  ])('as accepted: %s', async (accept, level) => {
    const { body, headers } = await reader.get('Submissions?$top=1', { accept });
    expect(headers.get('content-type')).toBe(`application/json; odata.metadata=${level}; charset=utf-8`);
    expect(Object.keys(body)).toEqual(level === 'none' ? ['value'] : ['@odata.context', 'value']);
  });

  test('that are not there are refused', async () => {
    for (const accept of [
      'application/atom+xml',
      'application/json;odata.metadata=full',
      'application/json;q=0',
    ])
      expectODataError(await reader.get('Submissions', { accept }), 406);
    for (const format of ['atom', 'xml', 'application/xml'])
      expectODataError(await reader.get(asking('Submissions', { $format: format })), 406);
    expectODataError(await reader.get('$metadata?$format=json'), 406);
    for (const format of ['json', 'application/json;odata.metadata=none'])
      expect(
        (await reader.get(asking('Submissions', { $format: format }), { accept: 'image/png' })).status,
      ).toBe(200);
    expect((await reader.get('$metadata?$format=xml')).status).toBe(200);
  });

  test('are compressed for clients that accept it', async () => {
    const compressed = await reader.get('Submissions', { 'accept-encoding': 'gzip' });
    const plain = await reader.get('Submissions', { 'accept-encoding': 'identity' });
    const encodings = [compressed, plain].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual(['gzip', null]);
    expect(plain.headers.get('vary')).toBe('Accept, Accept-Encoding, Prefer');
  });
});

test('an address means the same with an encoded dollar sign', async () => {
  for (const path of ['$metadata', 'Submissions/$count', 'Submissions/$count?$filter=id ge 0']) {
    const [plain, encoded] = [await reader.get(path), await reader.get(path.replace('$', '%24'))];
    expect([encoded.status, encoded.text]).toEqual([200, plain.text]);
    expect(encoded.headers.get('content-type')).toBe(plain.headers.get('content-type'));
  }
  expectODataError(await reader.get('Submissions(1)/%24count'), 501);
  expectODataError(await reader.get('Nothing/%24count'), 404);
});

test('what is not supported is refused, and nothing is ignored', async () => {
  for (const option of ['$expand=people', '$search=x', '$apply=x', '$compute=x', '@p=1'])
    expectODataError(await reader.get(`Submissions?${option}`), 501);
  for (const path of [
    'Submissions(1)/your_name',
    'Submissions/1',
    'Submissions/$value',
    '$batch/x',
    'Submissions(1)/$count',
  ])
    expectODataError(await reader.get(path), 501);
  const wrong = [
    '$top=-1',
    '$top=x',
    '$top=',
    '$skip=100001',
    '$count=yes',
    '$top=1&$top=2',
    '$select=x',
    'top=1',
  ];
  const tokens = [
    '$skiptoken=x',
    '$skiptoken=1',
    '$skiptoken=1~2~3',
    '$skiptoken=1~0~2026-01-01',
    "$skiptoken=1'~0",
  ];
  for (const option of [...wrong, ...tokens, '$foo=1', 'x=1', '$select=id&$select=id'])
    expectODataError(await reader.get(`Submissions?${option}`), 400);
  expectODataError(await reader.get('Submissions', { prefer: 'odata.maxpagesize=0' }), 400);
  expectODataError(await reader.get('?$top=1'), 400);
  expectODataError(await reader.get('Submissions/$count?$top=1'), 400);
  expectODataError(await reader.get('Submissions(1)?$top=1'), 400);
  for (const path of ['submissions', 'Submissions_nothing', 'Nothing/$count'])
    expectODataError(await reader.get(path), 404);
});

test('what is not supported counts as no failure of the service', async () => {
  expectODataError(await reader.get('Submissions?$expand=people'), 501);
  const { text } = await home.service.request('GET', '/metrics');
  expect(text).toContain('route="/live-tables/:token/odata/:set",status="501"');
  expect(text).not.toContain('status="5xx"');
});

describe('the link', () => {
  const list = async (of: { id: number }) =>
    (await home.call('GET', `/open/forms/${of.id}/live-tables`)).body;

  test('is the one of the CSV file, and ends with it', async () => {
    const other = await home.form({ properties: [aTextField()] });
    await home.submit(other, { [TEXT_FIELD_ID]: 'Ada' });
    const table = await anODataReader(home, other);
    const csv = table.url.replace(/\/odata\/$/, '.csv');
    const read = await fetch(csv);
    expect(await read.text()).toContain(',Ada');
    expect((await table.values('Submissions'))[0].name).toBe('Ada');
    expect((await home.call('DELETE', `/open/forms/${other.id}/live-tables/${table.id}`)).status).toBe(200);
    for (const path of ['', '$metadata', 'Submissions', 'Submissions(1)', 'Submissions/$count', 'x/y/z'])
      expectODataError(await table.get(path), 404);
  });

  test('is noted as read, but not by whoever asks for the head alone', async () => {
    const other = await home.form({ properties: [aTextField()] });
    const table = await anODataReader(home, other);
    for (const path of ['', '$metadata', 'Submissions', 'Submissions/$count']) {
      const { status, headers } = await fetch(table.url + path, { method: 'HEAD' });
      expect([path, status, headers.get('odata-version')]).toEqual([path, 200, '4.0']);
    }
    expect(await list(other)).toMatchObject([{ last_read_at: null }]);
    await table.values('Submissions');
    const [{ last_read_at }] = await list(other);
    expect(Date.now() - Date.parse(last_read_at)).toBeLessThan(60_000);
  });

  test('leads nowhere when it is not known', async () => {
    for (const token of ['0'.repeat(64), 'x', 'A'.repeat(64)]) {
      const answer = await home.service.request('GET', `/live-tables/${token}/odata/Submissions`);
      expect([answer.status, Object.keys(answer.body)]).toEqual([404, ['error']]);
    }
  });

  test('is not there while its form is in the trash, nor is the table', async () => {
    const other = await home.form({ properties: [aTextField()] });
    const table = await anODataReader(home, other);
    const csv = table.url.replace(/\/odata\/$/, '.csv');
    const expectFound = async (status: number) => {
      for (const path of ['', '$metadata', 'Submissions', 'Submissions/$count'])
        expect([path, (await table.get(path)).status]).toEqual([path, status]);
      expect((await fetch(csv)).status).toBe(status);
    };
    await expectFound(200);
    await home.call('POST', `/open/forms/${other.id}/trash`);
    await expectFound(404);
    expectODataError(await table.get('Submissions'), 404);
    await home.call('DELETE', `/open/forms/${other.id}/trash`);
    await expectFound(200);
  });

  test('shows neither what is in the trash nor other forms', async () => {
    const other = await home.form({ properties: [aTextField()] });
    const table = await anODataReader(home, other);
    for (const name of ['kept', 'gone']) await home.submit(other, { [TEXT_FIELD_ID]: name });
    const [gone] = await home.records(other);
    await home.call('POST', `/open/forms/${other.id}/submissions/trash`, { submissionIds: [gone.id] });
    expect((await table.values('Submissions')).map(({ name }) => name)).toEqual(['kept']);
    expectODataError(await table.get(`Submissions(${gone.id})`), 404);
    const [foreign] = await reader.values('Submissions');
    expectODataError(await table.get(`Submissions(${foreign.id})`), 404);
  });
});
