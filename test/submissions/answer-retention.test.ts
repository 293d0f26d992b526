import { expect, test } from 'vitest';
import { removeExpiredAnswers } from '../../server/submissions/retention/remove-expired-answers.ts';
import { download } from '../exports/download.ts';
import { finishedJob } from '../exports/finished-job.ts';
import { upload } from '../files/upload.ts';
import { placesWith, storedFiles } from '../privacy/everywhere.ts';
import { useRepeatingReceiver } from '../privacy/repeating-receiver.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';

const DAY_MS = 24 * 3600 * 1000;
const CANARY = 'the-canary-of-an-answer';
const NAME = aField('01', 'text', 'Name');
const MAIL = { ...aField('02', 'email', 'Mail'), required: true, retention_days: 30 };
const FILES = { ...aField('03', 'files', 'Files'), multiple: true, retention_days: 30 };

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
const receiver = useRepeatingReceiver();

const query = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);
const places = () => placesWith(home.service, CANARY);
const removeAfter = (days: number) =>
  removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + days * DAY_MS) });
/** Answers of a form's submissions, the latest first. */
const answersOf = async (form: { id: number }, field: { id: string }) =>
  (await home.records(form)).map(({ data }) => data[field.id]);

test('a removed answer is nowhere any more; the rest of the submission stays as it was', async () => {
  const form = await home.form({ properties: [NAME, MAIL, FILES], editable_submissions: true });
  for (const url of [receiver.url, 'http://127.0.0.1:1/closed'])
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: url, webhook_secret: 'a secret of length', sends_edits: true },
    });
  const file = await uploadNote(form, `${CANARY} in a file`);
  const sent = { [NAME.id]: 'Ada', [MAIL.id]: `before-${CANARY}@example.com`, [FILES.id]: [file] };
  const { submission_id: id } = (await home.submit(form, sent)).body;
  const corrected = { ...sent, [NAME.id]: 'Ada L.', [MAIL.id]: `${CANARY}@example.com`, submission_id: id };
  expect((await home.submit(form, corrected)).status).toBe(200);
  const link = await exported(form);
  await until(async () => (await places()).includes('public.delivery_attempts'));
  await runAllJobs(home.service.context);
  await query(
    `insert into search_blocks (form_id, first_id, last_id, signature)
     select form_id, min(id), max(id), 'bits' from submissions where form_id = $1 group by form_id`,
    [form.id],
  );
  expect(await places()).toEqual([
    expect.stringMatching(/^exports\//),
    'public.deliveries',
    'public.delivery_attempts',
    'public.submission_changes',
    'public.submissions',
    expect.stringMatching(/^uploads\//),
  ]);
  const [before] = await home.records(form);

  await removeAfter(29.9);
  expect(await answersOf(form, MAIL)).toEqual([`${CANARY}@example.com`]);
  await removeAfter(30.1);
  expect((await query('select signature from search_blocks')).rows).toEqual([{ signature: null }]);
  expect((await home.service.request('GET', new URL(link).pathname)).status).toBe(404);
  await runAllJobs(home.service.context);
  await until(async () => (await places()).length === 0);
  expect(await storedFiles(home.service.context)).toEqual([]);

  const [after] = await home.records(form);
  expect(after).toEqual({
    ...before,
    data: { ...before.data, [MAIL.id]: null, [FILES.id]: null },
    files: undefined,
  });
  const { changes } = (await home.call('GET', `/open/forms/${form.id}/submissions/${id}/changes`)).body;
  expect(changes.map(({ answers }: any) => answers)).toEqual([
    { [NAME.id]: { before: 'Ada', after: 'Ada L.' } },
  ]);
});

test('each field has its time, counted from the last change; partial, trashed and imported submissions too', async () => {
  const day = { ...aField('07', 'text', 'Day'), retention_days: '1' };
  const month = { ...aField('08', 'text', 'Month'), retention_days: 30 };
  const form = await home.form({ properties: [NAME, day, month], enable_partial_submissions: true });
  const sent = { [NAME.id]: 'n', [day.id]: 'd', [month.id]: 'm' };
  for (const body of [sent, { ...sent, is_partial: true }, sent]) await home.submit(form, body);
  const [trashed, , changed] = await home.records(form);
  await home.call('POST', `/open/forms/${form.id}/submissions/trash`, { submissionIds: [trashed.id] });
  const rest = () =>
    query(
      `select id, data ->> $2 as day, data ->> $3 as month, data ->> $4 as name from kept_submissions where form_id = $1 order by id`,
      [form.id, day.id, month.id, NAME.id],
    );
  await removeAfter(2);
  expect((await rest()).rows.map(({ day, month, name }) => [day, month, name])).toEqual([
    [null, 'm', 'n'],
    [null, 'm', 'n'],
    [null, 'm', 'n'],
  ]);
  // A change counts anew, an import by the moment it was sent.
  await query(`update submissions set updated_at = now() + interval '10 days' where id = $1`, [changed.id]);
  const imported = { answers: sent, created_at: new Date(Date.now() - 20 * DAY_MS).toISOString() };
  const path = `/open/forms/${form.id}/submissions/import`;
  expect((await home.call('POST', path, { submissions: [imported] })).status).toBe(200);
  await removeAfter(31);
  expect((await rest()).rows.map(({ day, month }) => [day, month])).toEqual([
    [null, 'm'],
    [null, null],
    [null, null],
    [null, null],
  ]);
  await home.call('POST', `/open/forms/${form.id}/submissions/trash/restore`, {
    submissionIds: [trashed.id],
  });
  await removeAfter(41);
  expect((await rest()).rows.map(({ month }) => month)).toEqual([null, null, null, null]);
});

test('an import of the past is looked through although later submissions are done', async () => {
  const form = await home.form({ properties: [MAIL] });
  await home.submit(form, { [MAIL.id]: 'one@example.com' });
  await removeAfter(31);
  const created_at = new Date(Date.now() - 100 * DAY_MS).toISOString();
  const submissions = [{ answers: { [MAIL.id]: 'old@example.com' }, created_at }];
  await home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions });
  await home.submit(form, { [MAIL.id]: 'new@example.com' });
  await removeExpiredAnswers(home.service.context.db);
  expect((await answersOf(form, MAIL)).sort()).toEqual(['new@example.com', null, null]);
});

test('a rule follows its field: deleted from the form, duplicated, given and taken later', async () => {
  const form = await home.form({ properties: [NAME, MAIL] });
  await home.submit(form, { [NAME.id]: 'Ada', [MAIL.id]: 'ada@example.com' });
  const path = `/open/forms/${form.id}`;
  const copy = (await home.call('POST', `${path}/duplicate`)).body.new_form;
  expect(copy.properties[1].retention_days).toBe(30);
  await home.call('PUT', path, { properties: [NAME, { ...MAIL, retention_days: null }] });
  await removeAfter(31);
  expect(await answersOf(form, MAIL)).toEqual(['ada@example.com']);
  await home.call('PUT', path, { properties: [NAME, MAIL] });
  await home.call('PUT', path, { properties: [NAME] });
  await removeAfter(31);
  expect(await answersOf(form, MAIL)).toEqual([null]);
  await home.call('PUT', path, { properties: [{ ...NAME, retention_days: 3 }] });
  await removeAfter(2);
  expect(await answersOf(form, NAME)).toEqual(['Ada']);
  await removeAfter(4);
  expect(await answersOf(form, NAME)).toEqual([null]);
});

test('an earlier version that is brought back leaves the rules as they are now', async () => {
  const form = await home.form({
    properties: [
      { ...NAME, retention_days: 5 },
      { ...MAIL, retention_days: null },
    ],
  });
  const path = `/open/forms/${form.id}`;
  await home.call('PUT', path, { properties: [{ ...NAME, name: 'Full name' }, MAIL] });
  const { body } = await home.call('POST', `${path}/versions/${form.version}/restore`);
  expect(body.form.properties).toMatchObject([{ name: 'Name' }, { name: 'Mail', retention_days: 30 }]);
  expect(body.form.properties[0]).not.toHaveProperty('retention_days');
});

test.each([0, -1, 1.5, 3_651, 'soon', true, [30]])('the days may not be %j', async (days) => {
  const properties = [{ ...NAME, retention_days: days }];
  const answer = await home.call('POST', '/open/forms', {
    workspace_id: home.workspaceId,
    title: 'F',
    properties,
  });
  expectInvalid(answer, 'properties', 'properties.0.retention_days');
});

test('repeated questions go with their field', async () => {
  const of = (question: object, field = {}) => ({
    ...aField('09', 'repeat', 'People'),
    ...field,
    questions: [{ ...aField('10', 'email', 'Mail'), ...question }],
  });
  const body = { workspace_id: home.workspaceId, title: 'F', properties: [of({ retention_days: 3 })] };
  const refused = await home.call('POST', '/open/forms', body);
  expectInvalid(refused, 'properties', 'properties.0.questions.0.retention_days');
  const people = of({}, { retention_days: 3 });
  const form = await home.form({ properties: [people] });
  await home.submit(form, { [people.id]: [{ [people.questions[0]?.id ?? '']: 'ada@example.com' }] });
  await removeAfter(4);
  expect(await answersOf(form, people)).toEqual([null]);
});

test('a removed answer counts as none: in lists, statistics, the search for a person and every kind of export', async () => {
  const text = ['text', 'rich_text', 'url', 'phone_number', 'barcode'];
  const counted = ['number', 'select', 'multi_select', 'checkbox', 'date', 'matrix', 'ranking', 'rating'];
  const types = [...text, ...counted, 'scale', 'slider', 'location', 'repeat'];
  const options = ['a', 'b', 'c'].map((name) => ({ id: name, name }));
  const fields = types.map((type, index) => ({
    ...aField(String(20 + index), type, type),
    retention_days: 1,
    ...(['select', 'multi_select', 'ranking'].includes(type) && { [type]: { options } }),
    ...(type === 'matrix' && { rows: ['r'], columns: ['c'] }),
    ...(type === 'repeat' && { questions: [aField('90', 'select', 'Color', { select: { options } })] }),
  }));
  const texts = ['ada', '<p>ada</p>', 'https://ada.example', '+4930123456', 'ada'];
  const values = [
    ...texts,
    ...[7, 'a', ['a', 'b'], true, '2026-01-02', { r: 'c' }, ['b', 'a', 'c'], 3],
    ...[3, 5, '1.5,2.5', [{ [aField('90', '', '').id]: 'a' }]],
  ];
  const form = await home.form({ properties: fields });
  const answers = Object.fromEntries(fields.map(({ id }, index) => [id, values[index] as never]));
  expect((await home.submit(form, answers)).status).toBe(200);
  await runAllJobs(home.service.context);
  await removeAfter(2);
  await runAllJobs(home.service.context);
  const path = `/open/forms/${form.id}`;
  for (const { id } of fields) {
    const filtered = async (operator: string) => {
      const { status, text, body } = await home.call(
        'GET',
        `${path}/submissions?filter[${id}][${operator}]=1`,
      );
      expect(status, text).toBe(200);
      return body.data.length;
    };
    expect([await filtered('is_empty'), await filtered('is_not_empty')]).toEqual([1, 0]);
  }
  const statistics = await home.call('GET', `${path}/statistics/fields`);
  expect(statistics.status, statistics.text).toBe(200);
  for (const field of statistics.body.fields) expect(field).toMatchObject({ answered: 0 });
  const found = await home.call('POST', `/open/workspaces/${home.workspaceId}/people/find`, { value: 'ada' });
  expect(found.body.submissions).toEqual([]);
  const columns = Object.fromEntries(fields.map(({ id }) => [id, true]));
  for (const format of ['csv', 'xlsx', 'jsonl', 'sav', 'sqlite', 'parquet', 'geojson']) {
    const { job_id } = (await home.call('POST', `${path}/submissions/export`, { columns, format })).body;
    const job = await until(async () => {
      const { body } = await home.call('GET', `${path}/submissions/export/status/${job_id}`);
      return ['queued', 'processing'].includes(body.status) ? null : body;
    });
    expect(job.status, `${format} ${JSON.stringify(job)}`).toBe('completed');
    if (format !== 'csv') continue;
    const csv = await (await fetch(job.file_url)).text();
    expect(csv.trim().split('\n')[1]?.trim().replaceAll(/[",]/g, '')).toBe('');
  }
});

test('many submissions are done in steps, and those done before are not looked at again', async () => {
  const form = await home.form({ properties: [NAME, MAIL, FILES] });
  await query(
    `insert into submissions (form_id, public_id, status, data, created_at, updated_at)
     select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, n || '@example.com', $3::text, 'name'),
       moment, moment + case when n % 3 = 0 then interval '1 second' else interval '0' end
     from generate_series(1, 1300) as n, lateral (values (timestamptz '2020-01-01' + n % 7 * interval '1 day')) as times (moment)`,
    [form.id, MAIL.id, NAME.id],
  );
  await query('update form_counters set completed_count = 1300 where form_id = $1', [form.id]);
  const left = async () =>
    (
      await query(`select count(*)::int from submissions where form_id = $1 and data ->> $2 <> ''`, [
        form.id,
        MAIL.id,
      ])
    ).rows[0].count;
  await query('create table writes (id bigint)');
  await query(`create function note_writes() returns trigger language plpgsql as
    'begin insert into writes select id from come; return null; end'`);
  await query(`create trigger note_writes after update on submissions referencing new table as come
    for each statement execute function note_writes()`);
  await Promise.all([removeAfter(0), removeAfter(0)]);
  expect(await left()).toBe(0);
  // Both fields at once, and no submission twice although two processes were at it.
  const writes = 'select count(*)::int as all, count(distinct id)::int as different from writes';
  expect((await query(writes)).rows).toEqual([{ all: 1300, different: 1300 }]);
  const perStep = await query('select count(*)::int from writes group by xmin::text order by count desc');
  expect(perStep.rows.map(({ count }) => count)).toEqual([500, 500, 300]);
  await query('drop trigger note_writes on submissions');
  // By hand one would have to lower the mark.
  await query(
    `update submissions set data = data || jsonb_build_object($2::text, 'x@example.com') where form_id = $1`,
    [form.id, MAIL.id],
  );
  await removeAfter(0);
  expect(await left()).toBe(1300);
});

test('few long answers are a step, so that new submissions to the form do not wait long', async () => {
  const form = await home.form({ properties: [NAME, MAIL] });
  await query(
    `insert into submissions (form_id, public_id, status, data, created_at, updated_at)
     select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, 'a@example.com', $3::text, long), moment, moment
     from generate_series(1, 12) as n, lateral (values (timestamptz '2020-01-01' + n * interval '1 day')) as times (moment),
       lateral (select string_agg(md5(n || ' ' || part), '') as long from generate_series(1, 30000) as part) as texts`,
    [form.id, MAIL.id, NAME.id],
  );
  await query('update form_counters set completed_count = 12 where form_id = $1', [form.id]);
  await removeAfter(0);
  expect(await answersOf(form, MAIL)).toEqual(Array(12).fill(null));
  const perStep = await query(
    'select count(*)::int from submissions where form_id = $1 group by xmin::text order by count desc',
    [form.id],
  );
  expect(perStep.rows[0].count).toBeLessThan(6);
});

test.each(['text', 'nf-text'])(
  'an answer and its files are removed when their field is now a %s',
  async (type) => {
    const form = await home.form({ properties: [NAME, FILES] });
    const file = await uploadNote(form, 'an ID');
    await home.submit(form, { [NAME.id]: 'Ada', [FILES.id]: [file] });
    const properties = [NAME, { ...FILES, type }];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const uploads = async () => (await query('select from uploads where form_id = $1', [form.id])).rowCount;
    expect(await uploads()).toBe(1);
    await removeAfter(31);
    expect(await answersOf(form, FILES)).toEqual([null]);
    await runAllJobs(home.service.context);
    await until(async () => (await uploads()) === 0);
  },
);

/** @returns the reference for an answer */
async function uploadNote(form: { slug: string }, content: string): Promise<string> {
  const answer = await upload(home.service, form, FILES.id, content, 'note.txt', { type: 'text/plain' });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.reference;
}

/** @returns the link to a finished export of the whole form */
async function exported(form: { id: number }): Promise<string> {
  const started = await download(home, form, 'csv', ['id', MAIL.id]);
  return (await finishedJob(home, form, started)).file_url;
}
