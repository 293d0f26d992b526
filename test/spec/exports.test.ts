import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { aField, aForm, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

/** In these tests, an export of up to three rows is small. */
const home = useHome({ env: { EXPORT_SYNC_LIMIT: '3' } });

const start = (form: { id: number }, columns: unknown, more: object = {}, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns, ...more }, token);
const status = (form: { id: number }, jobId: string, token?: string) =>
  home.call('GET', `/open/forms/${form.id}/submissions/export/status/${jobId}`, undefined, token);

/** The lines of a small export. */
async function csvOf(form: { id: number }, columns: object, more: object = {}): Promise<string> {
  const answer = await start(form, columns, more);
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

async function filled(count: number) {
  const form = await home.form();
  for (let index = 0; index < count; index++) await home.submit(form, { [TEXT_FIELD_ID]: `answer ${index}` });
  return form;
}

async function finished(form: { id: number }, jobId: string): Promise<any> {
  return until(async () => {
    const { body } = await status(form, jobId);
    return ['completed', 'failed'].includes(body.status) && body;
  });
}

const TEN_FIELDS = [
  'created_at',
  'error_message',
  'expires_at',
  'file_url',
  'job_id',
  'processed_submissions',
  'progress',
  'status',
  'total_submissions',
  'updated_at',
];

describe('a small export', () => {
  test('is a CSV file with Content-Type text/csv and a Content-Disposition', async () => {
    const answer = await start(await filled(3), { [TEXT_FIELD_ID]: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=.+\.csv/);
    expect(answer.text.split('\n').slice(0, 1)).toEqual(['Name']);
    expect(answer.text.trimEnd().split('\n').slice(1).sort()).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect(answer.text).not.toContain('\r');
    expect(answer.text.endsWith('\n')).toBe(true);
  });

  test('has exactly the true columns in the order of the request, whatever the keys look like', async () => {
    const properties = [
      aTextField(),
      { id: '10', type: 'text', name: 'Ten' },
      { id: '2', type: 'text', name: 'Two' },
    ];
    const form = await home.form({ properties });
    await home.submit(form, {
      [TEXT_FIELD_ID]: 'n',
      '10': 't',
      '2': 'w',
      tracking_parameters: { utm_source: 'news' },
    });
    const path = `/open/forms/${form.id}/submissions/export`;
    const columns = `{"status":true,"10":true,"meta.attribution.utm_source":true,"2":true,"id":false,"${TEXT_FIELD_ID}":true}`;
    const answer = await home.call('POST', path, `{"columns":${columns}}`);
    expect(answer.text).toBe('status,Ten,utm_source,Two,Name\ncompleted,t,news,w,n\n');
  });

  test('knows the system columns', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    await home.submit(form, { [TEXT_FIELD_ID]: 'whole', completion_time: 7 });
    await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    const columns = ['id', 'submission_id', 'created_at', 'updated_at', 'status', 'completion_time'];
    const text = await csvOf(form, Object.fromEntries(columns.map((column) => [column, true])));
    const rows = parse<Record<string, string>>(text, { columns: true });
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    const records = await home.records(form);
    for (const record of records) {
      const row = rows.find(({ id }) => id === String(record.id));
      expect(row).toMatchObject({
        submission_id: record.submission_id,
        status: record.status,
        completion_time: record.completion_time === null ? '' : String(record.completion_time),
      });
      expect(row?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
      expect(Math.abs(Date.parse(row?.created_at ?? '') - Date.parse(record.created_at))).toBeLessThan(1000);
    }
    expect(rows.map((row) => row.status).sort()).toEqual(['completed', 'partial']);
  });

  test('knows all sixteen attribution columns, headed by the bare key', async () => {
    const keys =
      'utm_source utm_medium utm_campaign utm_id utm_term utm_content utm_source_platform utm_creative_format utm_marketing_tactic gclid gbraid wbraid dclid fbclid ttclid msclkid'.split(
        ' ',
      );
    const form = await home.form();
    await home.submit(form, {
      tracking_parameters: Object.fromEntries(keys.map((key) => [key, `v ${key}`])),
    });
    const columns = Object.fromEntries(keys.map((key) => [`meta.attribution.${key}`, true]));
    expect(await csvOf(form, columns)).toBe(`${keys.join()}\n${keys.map((key) => `v ${key}`).join()}\n`);
  });

  test('a repeated name gets a number', async () => {
    const form = await home.form({
      properties: [aField('01', 'text', 'Same'), aField('02', 'text', 'Same'), aField('03', 'text', 'Same')],
    });
    const columns = Object.fromEntries(form.properties.map((field: any) => [field.id, true]));
    expect(await csvOf(form, columns)).toBe('Same,Same (2),Same (3)\n');
  });

  test.each([
    ['an unknown column', { nonsense: true }],
    ['an unknown attribution column', { 'meta.attribution.referrer': true }],
    ['an unknown column that is false', { [TEXT_FIELD_ID]: true, nonsense: false }],
    ['no true column', { [TEXT_FIELD_ID]: false }],
    ['no column', {}],
    ['a list', ['status']],
    ['a text', 'status'],
    ['nothing', undefined],
    ['null', null],
  ])('%s is 422 on columns', async (_name, columns) => {
    expectInvalid(await start(await home.form(), columns), 'columns');
  });

  test('values are booleans; what is not is told by the name of its column', async () => {
    const form = await home.form();
    for (const column of [TEXT_FIELD_ID, '7', 'a_b', 'meta.attribution.utm_source']) {
      const { status, body } = await start(form, { [column]: 'yes' });
      expect([status, body.errors]).toEqual([
        422,
        { [`columns.${column}`]: [`The columns.${column} field must be true or false.`] },
      ]);
    }
  });

  test('everything that is wrong with a body is told at once', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/submissions/export`;
    const columns = { nonsense: true };
    expectInvalid(
      await home.call('POST', path, { columns, bom: 'yes', format: 'pdf', submissionIds: [999_999] }),
      ...['columns', 'bom', 'format', 'submissionIds.0'],
    );
    expectInvalid(
      await home.call('POST', path, { format: 'pdf', entries_of: 7 }),
      'columns',
      'format',
      'entries_of',
    );
    expectInvalid(await home.call('POST', path), 'body');
  });

  test('quotes as RFC 4180 and keeps every character', async () => {
    const form = await home.form();
    const answers = ['comma, quote " and\nnew\r\nline', ' spaces ', 'é😀'];
    for (const answer of answers) await home.submit(form, { [TEXT_FIELD_ID]: answer });
    const text = await csvOf(form, { [TEXT_FIELD_ID]: true });
    expect(text).toContain('"comma, quote "" and\nnew\r\nline"');
    const rows = parse(text, { record_delimiter: '\n' }) as string[][];
    expect(rows.slice(1).flat().sort()).toEqual([...answers].sort());
  });

  test('has no byte order mark unless asked for', async () => {
    const form = await filled(1);
    const bytes = async (more: object) => {
      const response = await fetch(`${home.service.url}/open/forms/${form.id}/submissions/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ columns: { [TEXT_FIELD_ID]: true }, ...more }),
      });
      return Buffer.from(await response.arrayBuffer());
    };
    expect((await bytes({})).subarray(0, 4).toString()).toBe('Name');
    expect((await bytes({ bom: true })).subarray(0, 7)).toEqual(Buffer.from('\uFEFFName'));
  });

  test('arrays, matrix, checkbox and numbers as text', async () => {
    const [many, matrix, checkbox, number] = [
      aField('01', 'multi_select', 'Many'),
      aField('02', 'matrix', 'Matrix', { rows: ['R1', 'R2'], columns: ['Good', 'Bad'] }),
      aField('03', 'checkbox', 'Checkbox'),
      aField('04', 'number', 'Number'),
    ];
    const form = await home.form({ properties: [many, matrix, checkbox, number] });
    await home.submit(form, {
      [many.id]: ['a', 'b'],
      [matrix.id]: { R1: 'Good', R2: 'Bad' },
      [checkbox.id]: true,
      [number.id]: -1.5,
    });
    const columns = Object.fromEntries([many, matrix, checkbox, number].map(({ id }) => [id, true]));
    expect(await csvOf(form, columns)).toBe(
      'Many,Matrix,Checkbox,Number\n"a, b",R1: Good | R2: Bad,true,-1.5\n',
    );
    const off = await home.form({ properties: [checkbox, number] });
    await home.submit(off, { [checkbox.id]: false, [number.id]: 0 });
    expect(await csvOf(off, { [checkbox.id]: true, [number.id]: true })).toBe('Checkbox,Number\nfalse,0\n');
  });

  test.each(['=1+1', '+33', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])(
    'text that a spreadsheet would run gets a leading apostrophe: %j',
    async (text) => {
      const form = await home.form();
      await home.submit(form, { [TEXT_FIELD_ID]: text, tracking_parameters: { utm_source: text } });
      const csv = await csvOf(form, { [TEXT_FIELD_ID]: true, 'meta.attribution.utm_source': true });
      const rows = parse(csv, { record_delimiter: '\n' }) as string[][];
      expect(rows[1]).toEqual([`'${text}`, `'${text}`]);
    },
  );

  test('a header that a spreadsheet would run is guarded as well', async () => {
    const form = await home.form({ properties: [aTextField({ name: '=1+1' })] });
    expect(await csvOf(form, { [TEXT_FIELD_ID]: true })).toBe("'=1+1\n");
  });

  test('an empty form exports its header', async () => {
    expect(await csvOf(await home.form(), { [TEXT_FIELD_ID]: true, status: true })).toBe('Name,status\n');
  });

  test('the answers of a removed property stay exportable', async () => {
    const form = await filled(1);
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aField('09', 'text', 'Other')] });
    expect(await csvOf(form, { [TEXT_FIELD_ID]: true })).toBe('Name\nanswer 0\n');
  });

  test('is compressed when asked for', async () => {
    const form = await filled(2);
    const { request } = await import('node:http');
    const body = JSON.stringify({ columns: { [TEXT_FIELD_ID]: true } });
    const [encoding, bytes] = await new Promise<[string | undefined, Buffer]>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${home.ada.token}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
      };
      const url = `${home.service.url}/open/forms/${form.id}/submissions/export`;
      const sent = request(url, { method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve([response.headers['content-encoding'], Buffer.concat(chunks)]));
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect(encoding).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toContain('answer 1');
  });

  test('readers may, strangers may not; forms-read is needed', async () => {
    const form = await filled(1);
    const columns = { [TEXT_FIELD_ID]: true };
    expect((await start(form, columns, {}, (await home.member('readonly')).token)).status).toBe(200);
    expectRefused(await start(form, columns, {}, (await home.stranger()).token), 403);
    const weak = await home.tokenWith('forms-write', 'manage-integrations');
    expectRefused(await start(form, columns, {}, weak), 403);
    expectRefused(await start({ id: 999_999 }, columns), 404);
  });
});

describe('a large export', () => {
  test('is a job: message, job_id and is_async', async () => {
    const form = await filled(4);
    const answer = await start(form, { [TEXT_FIELD_ID]: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.body).toMatchObject({
      type: 'success',
      message: expect.any(String),
      job_id: expect.stringMatching(/^export_/),
      is_async: true,
    });
    const job = (await status(form, answer.body.job_id)).body;
    expect(Object.keys(job).sort()).toEqual(TEN_FIELDS);
    expect(['queued', 'processing', 'completed']).toContain(job.status);
    await finished(form, answer.body.job_id);
  });

  test('has all ten fields in every state, and the states only move forward', async () => {
    const form = await filled(5);
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    const order = ['queued', 'processing', 'completed'];
    let rank = 0;
    let progress = 0;
    await until(async () => {
      const { body } = await status(form, job_id);
      expect(Object.keys(body).sort()).toEqual(TEN_FIELDS);
      expect(order.indexOf(body.status)).toBeGreaterThanOrEqual(rank);
      expect(body.progress).toBeGreaterThanOrEqual(progress);
      expect(body.progress).toBeLessThanOrEqual(100);
      if (body.status !== 'completed')
        expect([body.file_url, body.expires_at, body.error_message]).toEqual([null, null, null]);
      rank = order.indexOf(body.status);
      progress = body.progress;
      return body.status === 'completed';
    });
  });

  test('ends completed with a bearer link that answers text/csv until expires_at, 24 hours ahead', async () => {
    const form = await filled(5);
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true, status: true })).body;
    const job = await finished(form, job_id);
    expect(job).toMatchObject({
      status: 'completed',
      progress: 100,
      job_id,
      processed_submissions: 5,
      total_submissions: 5,
      file_url: expect.stringMatching(/^http/),
      error_message: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const hours = (Date.parse(job.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    const file = await fetch(job.file_url);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    const rows = parse(await file.text()) as string[][];
    expect(rows[0]).toEqual(['Name', 'status']);
    expect(rows).toHaveLength(6);
  });

  test('says the same as a small one', async () => {
    const form = await filled(4);
    const columns = { created_at: true, [TEXT_FIELD_ID]: true, id: true };
    const { job_id } = (await start(form, columns)).body;
    const large = await (await fetch((await finished(form, job_id)).file_url)).text();
    const [first] = await home.records(form);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${first.id}`);
    const small = await csvOf(form, columns);
    expect(small.split('\n')).toHaveLength(5);
    for (const line of small.split('\n')) expect(large.split('\n')).toContain(line);
  });

  test('link and job are 404 once they have expired', async () => {
    const form = await filled(4);
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    const { file_url } = await finished(form, job_id);
    expect((await fetch(file_url)).status).toBe(200);
    await home.service.context.db
      .updateTable('export_jobs')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('job_id', '=', job_id)
      .execute();
    expect((await fetch(file_url)).status).toBe(404);
    expectRefused(await status(form, job_id), 404);
  });

  test('a link that is guessed is 404', async () => {
    const form = await filled(4);
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    const { file_url } = await finished(form, job_id);
    expect(file_url).not.toContain(job_id);
    for (const url of [`${file_url}0`, file_url.slice(0, -1), file_url.replace(/[^/]+$/, job_id)])
      expect((await fetch(url)).status).toBe(404);
  });

  test('a job of another form, an unknown and a malformed one are 404', async () => {
    const form = await filled(4);
    const other = await home.form();
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    expectRefused(await status(other, job_id), 404);
    expectRefused(await status(form, 'export_00000000'), 404);
    expectRefused(await status(form, '%00'), 404);
    expect((await status(form, job_id)).status).toBe(200);
    await finished(form, job_id);
  });

  test('its status needs forms-read and access to the form', async () => {
    const form = await filled(4);
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    expectRefused(await status(form, job_id, await home.tokenWith('forms-write')), 403);
    expectRefused(await status(form, job_id, (await home.stranger()).token), 403);
    expect((await status(form, job_id, (await home.member('readonly')).token)).status).toBe(200);
    await finished(form, job_id);
  });

  test('a deleted form or workspace takes job and file along', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const form = await aForm(home.service, home.ada, workspaceId);
    for (let index = 0; index < 4; index++) await home.submit(form, {});
    const { job_id } = (await start(form, { [TEXT_FIELD_ID]: true })).body;
    const { file_url } = await finished(form, job_id);
    await home.call('DELETE', `/open/workspaces/${workspaceId}`);
    expectRefused(await status(form, job_id), 404);
    await until(async () => (await fetch(file_url)).status === 404);
  });
});
