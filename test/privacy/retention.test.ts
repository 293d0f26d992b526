import { expect, test } from 'vitest';
import { purgeExpiredSubmissions } from '../../server/submissions/retention/purge-expired.ts';
import { download } from '../exports/download.ts';
import { finishedJob } from '../exports/finished-job.ts';
import { upload } from '../files/upload.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';
import { placesWith, storedFiles } from './everywhere.ts';
import { useRepeatingReceiver } from './repeating-receiver.ts';

const CANARY = 'the-canary-of-an-answer';
const NAME = aField('01', 'text', 'Name');
const FILES = aField('02', 'files', 'Files');
const MAIL = aField('03', 'email', 'Mail');

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
const receiver = useRepeatingReceiver();

test('what is older than the retention of its form leaves nothing anywhere: rows, bodies, excerpts, keys, files, exports', async () => {
  const form = await home.form({
    properties: [NAME, FILES, MAIL],
    submission_retention_value: 1,
    submission_retention_unit: 'day',
    enable_partial_submissions: true,
  });
  for (const url of [receiver.url, 'http://127.0.0.1:1/closed'])
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: url, webhook_secret: 'a secret of length' },
    });
  const file = await uploadNote(form, `${CANARY} in a file`);
  const answers = { [NAME.id]: CANARY, [FILES.id]: [file], [MAIL.id]: `${CANARY}@example.com` };
  expect((await home.submit(form, answers, { 'idempotency-key': CANARY })).status).toBe(200);
  expect((await home.submit(form, { [NAME.id]: CANARY, is_partial: true })).status).toBe(200);
  const link = await exported(form);
  for (const { id } of await home.records(form))
    await home.call('POST', `/open/forms/${form.id}/submissions/${id}/review`, {
      state: 'approved',
      note: `${CANARY} in a note`,
    });
  const [{ id: corrected }] = await home.records(form);
  await query(
    `insert into submission_changes (form_id, submission_id, is_by_member, answers, changed_at)
     values ($1, $2, true, $3, now())`,
    [form.id, corrected, JSON.stringify({ [NAME.id]: `${CANARY} before` })],
  );
  await until(async () => (await places()).includes('public.delivery_attempts'));
  await runAllJobs(home.service.context);
  await query(
    `insert into search_blocks (form_id, first_id, last_id, signature)
     select form_id, min(id), max(id), 'bits' from submissions group by form_id`,
  );
  await home.call('GET', `/open/forms/${form.id}/statistics`);
  expect(await places()).toEqual([
    expect.stringMatching(/^exports\//),
    'public.deliveries',
    'public.delivery_attempts',
    'public.idempotency_keys',
    'public.review_entries',
    'public.submission_changes',
    'public.submissions',
    expect.stringMatching(/^uploads\//),
  ]);

  // One new answer stays, with its delivery and key.
  const tomorrow = new Date(Date.now() + 25 * 3600 * 1000);
  await query(`update submissions set updated_at = updated_at - interval '25 hours' where form_id = $1`, [
    form.id,
  ]);
  await home.submit(form, { [NAME.id]: 'fresh' }, { 'idempotency-key': 'fresh' });
  await purgeExpiredSubmissions(home.service.context.db);
  // At once, because the background looks after these blocks each minute.
  expect((await query('select signature from search_blocks')).rows).toEqual([{ signature: null }]);
  expect((await home.service.request('GET', new URL(link).pathname)).status).toBe(404);
  await runAllJobs(home.service.context);
  await until(async () => (await places()).length === 0);
  expect(await storedFiles(home.service.context)).toEqual([]);
  expect((await home.records(form)).map(({ data }) => data[NAME.id])).toEqual(['fresh']);
  expect((await query('select key from idempotency_keys')).rows).toEqual([{ key: 'fresh' }]);

  await purgeExpiredSubmissions(home.service.context.db, { now: tomorrow });
  for (const table of [
    'submissions',
    'deliveries',
    'delivery_attempts',
    'idempotency_keys',
    'export_jobs',
    'uploads',
    'submission_reviews',
    'review_entries',
    'submission_changes',
  ])
    expect((await query(`select from ${table}`)).rowCount, table).toBe(0);
});

const query = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);
const places = () => placesWith(home.service, CANARY);

/** @returns the reference for an answer */
async function uploadNote(form: { slug: string }, content: string): Promise<string> {
  const answer = await upload(home.service, form, FILES.id, content, 'note.txt', { type: 'text/plain' });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.reference;
}

/** @returns the link to a finished export of the whole form */
async function exported(form: { id: number }): Promise<string> {
  const started = await download(home, form, 'csv', ['id', NAME.id]);
  return (await finishedJob(home, form, started)).file_url;
}
