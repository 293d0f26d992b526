import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
/** Workers look every 15 seconds. */
const PATIENCE_MS = 60_000;

test('an export whose worker died is taken over soon after its lease has ended', async () => {
  const form = await home.form();
  await home.submit(form, { [TEXT_FIELD_ID]: 'Grace' });
  const path = `/open/forms/${form.id}/submissions/export`;
  const { job_id: jobId } = (await home.call('POST', path, { columns: { [TEXT_FIELD_ID]: true } })).body;
  const status = async () => (await home.call('GET', `${path}/status/${jobId}`)).body.status;
  await expect.poll(status, { timeout: PATIENCE_MS }).toBe('completed');
  // As its worker would have left it.
  await home.service.context.pool.query(
    `update export_jobs set status = 'processing', attempts = 1, leased_until = now() - interval '1 second', file_token_hash = null,
       file_token_encrypted = null, expires_at = null, progress = 50
     where job_id = $1`,
    [jobId],
  );
  expect(await status()).toBe('processing');
  await expect.poll(status, { timeout: PATIENCE_MS, interval: 250 }).toBe('completed');
});
