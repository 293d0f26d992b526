import { expect, test } from 'vitest';
import { buildExport } from '../../server/exports/build-export.ts';
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
