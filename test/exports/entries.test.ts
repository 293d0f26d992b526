import { beforeAll, describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { parseTwice } from './csv-database.ts';
import { storeSubmissions } from './stored-submissions.ts';
import { unzip } from './unzip.ts';
import { readWorkbook } from './xlsx-reader.ts';

/** One line for every entry of repeated questions. */
const LIMIT = 10;
const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: String(LIMIT) } });

const PEOPLE = {
  id: 'people',
  type: 'repeat',
  name: 'People',
  questions: [
    { id: 'name', type: 'text', name: 'Name' },
    { id: 'age', type: 'number', name: 'Age' },
    { id: '10', type: 'checkbox', name: 'Comes' },
    { id: 'born', type: 'date', name: 'Born' },
    { id: 'food', type: 'multi_select', name: 'Food' },
    { id: 'again', type: 'phone_number', name: 'Name' },
  ],
};
const FIELDS = [
  { id: 'title', type: 'text', name: 'Title' },
  PEOPLE,
  { id: 'sum', type: 'number', name: 'Sum' },
];
const ANN = { name: '=Ann', age: -3.5, '10': true, born: '2024-02-29', food: ['a', '=b'], again: '+331' };
const HEADER = ['id', 'entry', 'Name', 'Age', 'Comes', 'Born', 'Food', 'Name (2)', 'Title'];

const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, true]));
const WANTED = { id: true, people: true, title: true };

async function aForm(answers: Record<string, unknown>[], properties: object[] = FIELDS) {
  const form = await home.form({ title: 'Trip', properties });
  await storeSubmissions(home.service, form.id, answers);
  return form;
}

function exportEntries(form: { id: number }, body: object) {
  const path = `/open/forms/${form.id}/submissions/export`;
  return fetch(`${home.service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ columns: WANTED, entries_of: 'people', ...body }),
  });
}

const withoutIds = (rows: string[][]) => rows.map(([, ...cells]) => cells);

describe('the lines', () => {
  test('have the answers of an entry each, with those of its submission', async () => {
    const form = await aForm([
      { title: 'First', people: [ANN, { name: 'Ben' }] },
      { title: 'None' },
      { title: 'Emptied', people: [] },
      { people: [{ age: 7 }] },
    ]);
    const answer = await exportEntries(form, {});
    expect(answer.status).toBe(200);
    const [header, ...rows] = parseTwice(await answer.text());
    expect(header).toEqual(HEADER);
    // the file has the newest submission first; here the order is reversed
    expect(withoutIds(rows)).toEqual([
      ['2', 'Ben', '', '', '', '', '', 'First'],
      ['1', "'=Ann", '-3.5', 'true', '2024-02-29', 'a, =b', "'+331", 'First'],
      ['1', '', '7', '', '', '', '', ''],
    ]);
    expect(rows[0]?.[0]).toBe(rows[1]?.[0]);
  });

  test('are one for each submission where nobody asks for entries, with all of them in a cell', async () => {
    const form = await aForm([{ title: 'First', people: [ANN, { name: 'Ben' }] }, { title: 'None' }]);
    for (const more of [{ entries_of: null }, { entries_of: undefined }]) {
      const answer = await exportEntries(form, { columns: columns('people', 'title'), ...more });
      expect(parseTwice(await answer.text())).toEqual([
        ['People', 'Title'],
        [
          'Name: =Ann; Age: -3.5; Comes: true; Born: 2024-02-29; Food: a, =b; Name: +331 | Name: Ben',
          'First',
        ],
        ['', 'None'],
      ]);
    }
  });

  test('have cells of their kinds in a spreadsheet', async () => {
    const form = await aForm([{ title: 'First', people: [ANN] }]);
    const answer = await exportEntries(form, { format: 'xlsx' });
    const [header = [], row = []] = readWorkbook(Buffer.from(await answer.arrayBuffer()));
    expect(header.map((cell) => cell?.value)).toEqual(HEADER);
    expect(row.slice(1).map((cell) => cell && [cell.type, cell.value])).toEqual([
      ['n', '1'],
      ['inlineStr', '=Ann'],
      ['n', '-3.5'],
      ['b', '1'],
      ['n', '45351'],
      ['inlineStr', 'a, =b'],
      ['inlineStr', '+331'],
      ['inlineStr', 'First'],
    ]);
  });

  test('come of answers of any shape, and are left out where there are no entries', async () => {
    const odd = [
      'text',
      7,
      { name: 'x' },
      null,
      ['a', { name: ['b', null, 1], age: 'old' }, [{}]],
      [{ lost: 1 }],
    ];
    const form = await aForm(odd.map((people) => ({ title: 'odd', people })));
    const [, ...rows] = parseTwice(await (await exportEntries(form, { columns: columns('people') })).text());
    expect(rows).toEqual([
      ['2', 'b, , 1', 'old', '', '', '', ''],
      ['1', '', '', '', '', '', ''],
    ]);
  });

  test('are those of the chosen submissions, and of a field that the form no longer has', async () => {
    const form = await aForm([{ people: [{ name: 'Ann' }] }, { people: [{ name: 'Ben' }] }]);
    const { rows } = await home.service.context.pool.query(
      'select id from submissions where form_id = $1 order by id limit 1',
      [form.id],
    );
    const body = { title: 'Trip', properties: FIELDS.filter(({ id }) => id !== 'people') };
    expect((await home.call('PUT', `/open/forms/${form.id}`, body)).status).toBe(200);
    const chosen = { submissionIds: [rows[0].id], columns: columns('people') };
    const [, ...lines] = parseTwice(await (await exportEntries(form, chosen)).text());
    expect(lines.map(([entry, name]) => [entry, name])).toEqual([['1', 'Ann']]);
  });
});

describe('a job', () => {
  test.each(['csv', 'zip'])(
    'writes a line for each entry into a %s file, as the form was then',
    async (format) => {
      const people = Array.from({ length: 3 }, (_, n) => ({ name: `Person ${n}` }));
      const form = await aForm(Array.from({ length: LIMIT + 1 }, (_, n) => ({ title: `${n}`, people })));
      const answer = await exportEntries(form, { format, columns: columns('title', 'people') });
      const { job_id: jobId } = (await answer.json()) as { job_id: string };
      const changed = [{ ...PEOPLE, questions: [{ id: 'name', type: 'number', name: 'Number' }] }];
      await home.call('PUT', `/open/forms/${form.id}`, { title: 'Trip', properties: changed });
      await runAllJobs(home.service.context);
      const job = await home.call('GET', `/open/forms/${form.id}/submissions/export/status/${jobId}`);
      const count = 3 * (LIMIT + 1);
      expect(job.body).toMatchObject({
        status: 'completed',
        progress: 100,
        processed_submissions: count,
        total_submissions: count,
      });
      const file = Buffer.from(await (await fetch(job.body.file_url)).arrayBuffer());
      const csv = format === 'zip' ? String(unzip(file).get('submissions.csv')) : String(file);
      const [header, ...rows] = parseTwice(csv);
      expect(header).toEqual(['Title', 'entry', 'Name', 'Age', 'Comes', 'Born', 'Food', 'Name (2)']);
      expect(rows).toHaveLength(count);
      expect(rows[0]).toEqual(['0', '3', 'Person 2', '', '', '', '', '']);
    },
  );
});

describe('refused are', () => {
  let form: any;
  beforeAll(async () => {
    form = await aForm([], [...FIELDS, { id: 'where', type: 'location', name: 'Where' }]);
  });

  test.each([
    ['an unknown field', { entries_of: 'nobody' }, 'The form has no such repeated questions.'],
    ['a field of another type', { entries_of: 'title' }, 'The form has no such repeated questions.'],
    [
      'a column that is not wanted',
      { columns: { title: true, people: false } },
      'Its column must be among the chosen ones.',
    ],
    [
      'a file for maps',
      { columns: { people: true, where: true }, format: 'geojson' },
      'A GeoJSON file has one feature for each submission, none for each entry.',
    ],
  ])('%s', async (_what, body, message) => {
    const answer = await exportEntries(form, body);
    expect(answer.status).toBe(422);
    expect(((await answer.json()) as any).errors).toEqual({ entries_of: [message] });
  });
});
