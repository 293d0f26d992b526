import { describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';

/** Answers for programs: an object on each line (jsonlines.org). */
const LIMIT = 50;
const home = useHome({ env: { EXPORT_SYNC_LIMIT: String(LIMIT) } });
const exported = (form: { id: number }, columns: string[], more = {}) =>
  download(home, form, 'jsonl', columns, more);

const FIELDS = [
  { id: 'note', type: 'text', name: 'Note "of\\ the"\tday' },
  { id: 'count', type: 'number', name: 'Count' },
  { id: 'done', type: 'checkbox', name: 'Done' },
  { id: 'many', type: 'multi_select', name: 'Many', options: ['a, b', 'c'] },
  { id: 'mx', type: 'matrix', name: 'Matrix', rows: ['r, 1', 'r2'], columns: ['Good', 'Bad'] },
  { id: 'period', type: 'date', name: 'Period', date_range: true },
  {
    id: 'people',
    type: 'repeat',
    name: 'People',
    questions: [
      { id: 'who', type: 'text', name: 'Who' },
      { id: 'age', type: 'number', name: 'Age' },
    ],
  },
  { id: 'sign', type: 'signature', name: 'Count' },
  { id: 'cv', type: 'files', name: 'CV', multiple: true },
];
const ALL = FIELDS.map(({ id }) => id);
const HEADERS = FIELDS.map(({ name, id }) => (id === 'sign' ? 'Count (2)' : name));

const aForm = () => home.form({ title: 'Lines', properties: FIELDS });

function parsed(text: string): any[] {
  if (text === '') return [];
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

const linesOf = async (form: { id: number }, columns: string[], rest = {}) => {
  const answer = await exported(form, columns, rest);
  expect(answer.status).toBe(200);
  return parsed(await answer.text());
};

describe('a file of JSON lines', () => {
  test('has answers as they are stored even where the question asks for files now', async () => {
    const ids = ['one', 'two', 'three', 'four'];
    const ask = (types: string[]) =>
      types.map((type, index) => ({ id: ids[index], type, name: ids[index], rows: ['r'], columns: ['c'] }));
    const form = await home.form({ properties: ask(['number', 'matrix', 'checkbox', 'computed']) });
    const answers = { one: 1e-7, two: { r: 'c' }, three: true, four: ['a', 5, null] };
    expect((await home.submit(form, answers)).status).toBe(200);
    const properties = ask(['signature', 'files', 'signature', 'files']);
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    expect(await linesOf(form, ids)).toEqual([answers]);
  });

  test('has every answer as it is stored, and null where there is none', async () => {
    const form = await aForm();
    const first = {
      note: 'a\tb\nc\\d "e" \u0001\u001f\u007f \u2028 \\. </script> 😀 =1+1',
      count: -0.5,
      done: false,
      many: ['a, b', 'c'],
      mx: { 'r, 1': 'Good', r2: 'Bad' },
      period: ['2026-01-01', '2026-01-31'],
      people: [{ who: 'Ann', age: 3 }, { who: 'Ben, "B"' }],
    };
    for (const answers of [first, { note: '\\.', count: 1e15, many: ['c'] }])
      expect((await home.submit(form, answers)).status).toBe(200);
    const answer = await exported(form, ALL);
    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.jsonl"`);
    const lines = parsed(await answer.text());
    expect(lines.map((line) => Object.keys(line))).toEqual([HEADERS, HEADERS]);
    const [note = ''] = HEADERS;
    const nothing = Object.fromEntries(HEADERS.map((name) => [name, null]));
    expect(lines).toEqual([
      { ...nothing, [note]: '\\.', Count: 1e15, Many: ['c'] },
      {
        ...nothing,
        [note]: first.note,
        Count: -0.5,
        Done: false,
        Many: first.many,
        Matrix: first.mx,
        Period: first.period,
        People: first.people,
      },
    ]);
  });

  test('tells of the submission as the API does, in the order that was asked for', async () => {
    const form = await aForm();
    const tracking = { utm_source: 'a "b"' };
    await home.submit(form, { count: 2, completion_time: 12.5, tracking_parameters: tracking });
    const [record] = await home.records(form);
    const columns = ['status', 'id', 'submission_id', 'completion_time', 'created_at', 'review_state'];
    const [line] = await linesOf(form, [...columns, 'meta.attribution.utm_source', 'count']);
    expect(line).toEqual({
      status: 'completed',
      id: record.id,
      submission_id: record.submission_id,
      completion_time: 12.5,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      review_state: 'received',
      utm_source: 'a "b"',
      Count: 2,
    });
    expect(Object.keys(line)).toEqual([...columns, 'utm_source', 'Count']);
  });

  test('names files by their links, in a list where the answer is one', async () => {
    const form = await aForm();
    const reference = async () => {
      const body = new FormData();
      body.append('file', new Blob(['Hello']), 'cv.txt');
      const path = `/forms/${form.slug}/files?field=cv`;
      return ((await (await fetch(home.service.url + path, { method: 'POST', body })).json()) as any)
        .reference;
    };
    const picture =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const sent = await home.submit(form, { cv: [await reference(), await reference()], sign: picture });
    expect(sent.status, sent.text).toBe(200);
    await storeSubmissions(home.service, form.id, [{ cv: 'none', sign: ['one', 'two'] }]);
    const [other, line] = await linesOf(form, ['cv', 'sign']);
    expect(line.CV).toHaveLength(2);
    for (const url of line.CV) expect(await (await fetch(url)).text()).toBe('Hello');
    expect((await fetch(line.Count)).headers.get('content-type')).toBe('image/png');
    expect(other).toEqual({ CV: 'none', Count: ['one', 'two'] });
  });

  test('has answers of another shape as they are, whatever the question asks for now', async () => {
    const form = await aForm();
    const odd = [
      { count: 'many', done: { a: [null] }, many: 'c', mx: 7, people: 'nobody' },
      { count: null, note: 0.1 },
    ];
    await storeSubmissions(home.service, form.id, odd);
    const columns = ['count', 'done', 'many', 'mx', 'people', 'note'];
    const [note = ''] = HEADERS;
    const [second, first] = await linesOf(form, columns);
    expect(first).toMatchObject({
      Count: 'many',
      Done: { a: [null] },
      Many: 'c',
      Matrix: 7,
      People: 'nobody',
    });
    expect(second).toMatchObject({ Count: null, [note]: 0.1 });
  });

  test('has a line for each entry of repeated questions where that is asked for', async () => {
    const form = await aForm();
    await home.submit(form, { count: 1, people: [{ who: 'Ann', age: 3 }, { who: 'Ben' }] });
    await home.submit(form, { count: 2 });
    expect(await linesOf(form, ['count', 'people'], { entries_of: 'people' })).toEqual([
      { Count: 1, entry: 1, Who: 'Ann', Age: 3 },
      { Count: 1, entry: 2, Who: 'Ben', Age: null },
    ]);
  });

  test('holds as many columns as a form has questions', async () => {
    const properties = Array.from({ length: 500 }, (_, n) => ({ id: `q${n}`, type: 'text', name: `Q ${n}` }));
    const form = await home.form({ title: 'Wide', properties });
    await home.submit(form, { q0: 'first', q499: 'last' });
    const [line] = await linesOf(
      form,
      properties.map(({ id }) => id),
    );
    expect(Object.keys(line)).toHaveLength(500);
    expect(line).toMatchObject({ 'Q 0': 'first', 'Q 250': null, 'Q 499': 'last' });
  });

  test('of a form without answers is empty', async () => {
    expect(await linesOf(await aForm(), ['note'])).toEqual([]);
  });

  test('with many answers is a job, with everything in it, packed where that is asked for', async () => {
    const form = await aForm();
    await storeMany(home.service, form.id, 'note', 3_000);
    const started = await exported(form, ['id', 'note']);
    const { file_url: url, processed_submissions: rows } = await finishedJob(home, form, started);
    expect(rows).toBe(3_000);
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    const lines = parsed(await answer.text());
    expect(new Set(lines.map((line) => line[HEADERS[0] ?? ''])).size).toBe(3_000);
  });
});
