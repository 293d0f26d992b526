import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { parseTwice } from './csv-database.ts';
import { storeMany, storeSubmissions } from './stored-submissions.ts';

const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '20' } });

function exportForm(form: number | string, body: unknown) {
  return home.service.request('POST', `/open/forms/${form}/submissions/export`, {
    token: home.ada.token,
    body,
  });
}

describe('the file', () => {
  test('has exactly the wanted columns in the order of the request, newest submission first', async () => {
    const form = await home.form({
      title: 'Order of columns',
      properties: [
        aTextField({ id: 'b', name: 'B' }),
        aTextField({ id: '10', name: 'Ten' }),
        aTextField({ id: '2', name: 'Two' }),
        aTextField({ id: 'unwanted', name: 'Unwanted' }),
      ],
    });
    await storeSubmissions(home.service, form.id, [
      { b: 'first', '2': 'x' },
      { b: 'second', '10': 'y' },
    ]);
    const body =
      '{"columns": {"b": true, "10": true, "unwanted": false, "status": true, "2" : true, "meta.attribution.utm_source": true}}';
    const answer = await exportForm(form.id, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="${form.slug}-submissions.csv"`,
    );
    expect(answer.text).toBe('B,Ten,status,Two,utm_source\nsecond,y,completed,,\nfirst,,completed,x,\n');
  });

  test('has system columns as the API shows them', async () => {
    const form = await home.form();
    const sent = await home.submit(form, {
      [TEXT_FIELD_ID]: 'Grace',
      completion_time: 12.5,
      tracking_parameters: { utm_source: 'news' },
    });
    expect(sent.status).toBe(200);
    const columns = Object.fromEntries(
      [
        'id',
        'submission_id',
        'created_at',
        'updated_at',
        'status',
        'completion_time',
        'meta.attribution.utm_source',
      ].map((name) => [name, true]),
    );
    const [header, row = []] = parseTwice((await exportForm(form.slug, { columns })).text);
    expect(header).toEqual([
      'id',
      'submission_id',
      'created_at',
      'updated_at',
      'status',
      'completion_time',
      'utm_source',
    ]);
    const { rows } = await home.service.context.pool.query('select * from submissions where form_id = $1', [
      form.id,
    ]);
    expect(row).toEqual([
      String(rows[0].id),
      sent.body.submission_id,
      rows[0].created_at.toISOString(),
      rows[0].updated_at.toISOString(),
      'completed',
      '12.5',
      'news',
    ]);
  });

  test('is a header alone when there are no submissions', async () => {
    const form = await home.form();
    const answer = await exportForm(form.id, { columns: { [TEXT_FIELD_ID]: true, id: true } });
    expect(answer.text).toBe('Name,id\n');
  });

  test('tells fields of one name apart', async () => {
    const names = ['A', 'A', 'A (2)', 'id', 'A'];
    const properties = names.map((name, index) => aTextField({ id: `f${index}`, name }));
    const form = await home.form({ properties });
    const columns = Object.fromEntries([...properties.map(({ id }) => [id, true]), ['id', true]]);
    const answer = await exportForm(form.id, { columns });
    expect(answer.text).toBe('A,A (2),A (2) (2),id,A (3),id (2)\n');
  });

  test('keeps the answers to removed fields', async () => {
    const form = await home.form();
    await storeSubmissions(home.service, form.id, [{ [TEXT_FIELD_ID]: 'kept' }]);
    const body = { properties: [aTextField({ id: 'other', name: 'Other' })] };
    const changed = await home.call('PUT', `/open/forms/${form.id}`, body);
    expect(changed.status).toBe(200);
    const answer = await exportForm(form.id, { columns: { other: true, [TEXT_FIELD_ID]: true } });
    expect(answer.text).toMatch(/^Other,Name.*\n,kept\n$/);
  });

  test('has the answers of a field whose id is that of a column, from before such ids were reserved', async () => {
    const id = 'meta.attribution.gclid';
    const taken = await home.call('POST', '/open/forms', {
      workspace_id: home.workspaceId,
      title: 'T',
      properties: [aTextField({ id })],
    });
    expect(taken.body.errors['properties.0.id']).toEqual([
      'The id may not begin with "meta.attribution.": columns of exports do.',
    ]);
    const form = await home.form();
    const { pool } = home.service.context;
    await pool.query('update forms set properties = $2 where id = $1', [
      form.id,
      JSON.stringify([aTextField({ id })]),
    ]);
    await storeSubmissions(home.service, form.id, [{ [id]: 'answered' }]);
    expect((await exportForm(form.id, { columns: { [id]: true } })).text).toBe('Name\nanswered\n');
  });

  test('holds partial submissions with their status', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    const body = { [TEXT_FIELD_ID]: 'half', is_partial: true };
    expect((await home.submit(form, body)).status).toBe(200);
    const answer = await exportForm(form.id, { columns: { [TEXT_FIELD_ID]: true, status: true } });
    expect(answer.text).toBe('Name,status\nhalf,partial\n');
  });

  test('begins with a byte order mark when asked', async () => {
    const form = await home.form();
    const { text } = await exportForm(form.id, { columns: { id: true }, bom: true });
    // fetch drops the byte order mark when it decodes
    const raw = await rawExport(form.id, { columns: { id: true }, bom: true });
    expect(raw.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(text).toBe('id\n');
    expect((await rawExport(form.id, { columns: { id: true } })).bytes.toString()).toBe('id\n');
  });

  test.each([
    ['gzip', true],
    ['br;q=1.0, gzip;q=0.2', true],
    ['*', true],
    ['gzip;q=0, *', false],
    ['identity', false],
  ])('is compressed for Accept-Encoding %s: %s', async (accepted, isCompressed) => {
    const form = await home.form();
    await storeSubmissions(home.service, form.id, [{ [TEXT_FIELD_ID]: 'zip' }]);
    const { bytes, headers } = await rawExport(
      form.id,
      { columns: { [TEXT_FIELD_ID]: true } },
      { 'accept-encoding': accepted },
    );
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers.vary).toBe('Accept-Encoding');
    expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toBe('Name\nzip\n');
  });

  test('can be limited to some submissions of the form', async () => {
    const form = await home.form();
    const other = await home.form();
    await storeMany(home.service, form.id, TEXT_FIELD_ID, 3);
    await storeMany(home.service, other.id, TEXT_FIELD_ID, 1);
    const idsOf = async (formId: number): Promise<number[]> =>
      (
        await home.service.context.pool.query('select id from submissions where form_id = $1 order by id', [
          formId,
        ])
      ).rows.map((row) => row.id);
    const [first, second] = await idsOf(form.id);
    const [foreign] = await idsOf(other.id);
    const columns = { [TEXT_FIELD_ID]: true };
    const some = await exportForm(form.id, { columns, submissionIds: [second, first] });
    expect(some.text).toBe('Name\nanswer 2\nanswer 1\n');
    const wrong = await exportForm(form.id, { columns, submissionIds: [first, foreign] });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors)).toEqual(['submissionIds.1']);
  });
});

describe('a filter', () => {
  const columns = { [TEXT_FIELD_ID]: true };
  const filtered = (formId: number, query: string, body: object = { columns }) =>
    home.call('POST', `/open/forms/${formId}/submissions/export?${query}`, body);

  test('takes what a list with the same parameters shows, also as a job', async () => {
    const form = await home.form();
    await storeMany(home.service, form.id, TEXT_FIELD_ID, 60);
    const { pool } = home.service.context;
    await pool.query(
      "update submissions set status = 'partial', created_at = '2024-05-01' where form_id = $1 and data ->> $2 = 'answer 7'",
      [form.id, TEXT_FIELD_ID],
    );
    for (const [query, names] of [
      [`filter[${TEXT_FIELD_ID}]=answer 12`, ['answer 12']],
      ['search=SWER 12', ['answer 12']],
      ['status=partial', ['answer 7']],
      ['to=2024-12-31', ['answer 7']],
      ['from=2024-04-30&to=2024-05-01&status=all', ['answer 7']],
      [`filter[${TEXT_FIELD_ID}]=nobody`, []],
      ['to=2024-12-31&filter=&review=&status=&search=', ['answer 7']],
    ] as const) {
      const answer = await filtered(form.id, query);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text, query).toBe(['Name', ...names, ''].join('\n'));
    }
    const many = await filtered(form.id, `filter[${TEXT_FIELD_ID}][does_not_equal]=answer 1`);
    expect(many.body.is_async).toBe(true);
    await runAllJobs(home.service.context);
    const status = `/open/forms/${form.id}/submissions/export/status/${many.body.job_id}`;
    const job = await home.call('GET', status);
    expect(job.body).toMatchObject({ status: 'completed', total_submissions: 59 });
    const file = await home.service.request('GET', new URL(job.body.file_url).pathname);
    expect(file.text.split('\n')).toHaveLength(61);
    expect(file.text).not.toContain('answer 1\n');
  });

  test('is refused as that list would be, and beside ids', async () => {
    const form = await home.form();
    for (const [query, key] of [
      ['from=yesterday', 'from'],
      ['filter[nothing]=1', 'filter[nothing]'],
      ['review=odd', 'review'],
      ['search=%00', 'search'],
    ] as const) {
      const refused = await filtered(form.id, query);
      expect(refused.status, refused.text).toBe(422);
      expect(Object.keys(refused.body.errors)).toEqual([key]);
    }
    const both = await filtered(form.id, 'status=all', { columns, submissionIds: [1] });
    expect(Object.keys(both.body.errors)).toEqual(['submissionIds']);
  });
});

describe('what is refused', () => {
  test.each([
    [{ columns: { id: true, foo: true, bar: false } }, 'The columns contain invalid values: foo, bar'],
    [{ columns: { id: false } }, 'At least one column must be chosen.'],
    [{ columns: {} }, 'The columns field is required.'],
    [{}, 'The columns field is required.'],
    [{ columns: { layout: true } }, 'The columns contain invalid values: layout'],
    [
      { columns: { 'meta.attribution.foo': true } },
      'The columns contain invalid values: meta.attribution.foo',
    ],
    [
      { columns: { ['x'.repeat(65)]: true, ['y'.repeat(64)]: true } },
      `The columns contain invalid values: ${'x'.repeat(63)}…, ${'y'.repeat(64)}`,
    ],
    [
      { columns: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`c${index}`, true])) },
      'The columns contain invalid values: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 (and 2 more)',
    ],
    [{ columns: ['id'] }, 'The columns must be an object.'],
    [{ columns: [] }, 'The columns must be an object.'],
  ])('%j', async (body, message) => {
    const form = await home.form({
      properties: [aTextField(), { id: 'layout', type: 'nf-text', name: 'Text', content: 'x' }],
    });
    const answer = await exportForm(form.id, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ columns: [message] });
  });

  test.each<[unknown, string, string]>([
    ['x', 'submissionIds', 'The submissionIds must be an array.'],
    [['x'], 'submissionIds.0', 'The submissionIds must be an integer.'],
    [[1, 0], 'submissionIds.1', 'The submissionIds must be at least 1.'],
  ])('%j as submissions, with one problem', async (submissionIds, key, message) => {
    const form = await home.form();
    const answer = await exportForm(form.id, { columns: { id: true }, submissionIds });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ [key]: [message] });
  });

  test.each([1, 0, 'true', null])('%j as choice of a column', async (choice) => {
    const form = await home.form();
    const answer = await exportForm(form.id, { columns: { id: choice } });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['columns.id']);
  });

  test('more than 1,000 columns', async () => {
    const form = await home.form();
    const columns = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`c${n}`, true]));
    expect((await exportForm(form.id, { columns })).body.errors.columns).toEqual([
      'The columns may not have more than 1000 items.',
    ]);
  });

  test('tokens without forms-read', async () => {
    const form = await home.form();
    const token = await home.tokenWith('forms-write', 'manage-integrations');
    const path = `/open/forms/${form.id}/submissions/export`;
    expect(
      (await home.service.request('POST', path, { token, body: { columns: { id: true } } })).status,
    ).toBe(403);
    expect((await home.service.request('GET', `${path}/status/x`, { token })).status).toBe(403);
  });
});

async function rawExport(formId: number, body: unknown, headers: Record<string, string> = {}) {
  const outgoing = httpRequest(`${home.service.url}/open/forms/${formId}/submissions/export`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.end(JSON.stringify(body));
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    outgoing.on('response', resolve).on('error', reject),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), headers: response.headers };
}
