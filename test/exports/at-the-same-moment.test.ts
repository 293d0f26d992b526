import { expect, test } from 'vitest';
import { buildExport } from '../../server/exports/jobs/build-export.ts';
import { purgeExpiredExports } from '../../server/exports/jobs/purge-expired.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';

const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });
const NEVER = new AbortController().signal;

test('an export that begins while one of its submissions comes out of the trash has it', async () => {
  const { context } = home.service;
  const form = await home.form();
  await home.submit(form, { [TEXT_FIELD_ID]: 'Grace' });
  const [{ id }] = await home.records(form);
  const submissions = `/open/forms/${form.id}/submissions`;
  const order = { columns: { [TEXT_FIELD_ID]: true }, submissionIds: [id] };
  const { job_id: jobId } = (await home.call('POST', `${submissions}/export`, order)).body;
  await home.call('POST', `${submissions}/trash`, { submissionIds: [id] });
  const [restored] = await inLine(
    context.pool,
    (client) => client.query('select from form_counters where form_id = $1 for update', [form.id]),
    [
      () => home.call('POST', `${submissions}/trash/restore`, { submissionIds: [id] }),
      () => buildExport(context, context.pool, jobId, NEVER),
    ],
  );
  expect(restored.status).toBe(200);
  const { body } = await home.call('GET', `${submissions}/export/status/${jobId}`);
  expect(body).toMatchObject({ status: 'completed', processed_submissions: 1 });
  expect(await (await fetch(body.file_url)).text()).toContain('Grace');
});

test('the hourly look at exports leaves out those that somebody deletes at that moment', async () => {
  const { context } = home.service;
  const { pool } = context;
  const form = await home.form();
  await pool.query(
    `insert into export_jobs (job_id, form_id, columns, status, expires_at)
     select 'export_' || n, $1, '[]', 'completed', now() - interval '1 hour' from generate_series(1, 3) n`,
    [form.id],
  );
  const left = async () =>
    (await pool.query('select from export_jobs where form_id = $1', [form.id])).rowCount;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select from export_jobs where job_id = 'export_2' for update`);
    await purgeExpiredExports(context);
    expect(await left()).toBe(1);
    await client.query('commit');
  } finally {
    client.release(true);
  }
  await purgeExpiredExports(context);
  expect(await left()).toBe(0);
});
