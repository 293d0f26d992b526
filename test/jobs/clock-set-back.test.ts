import { expect, onTestFinished, test } from 'vitest';
import { undoClockAhead } from '../../server/jobs/clock-queries.ts';
import { enqueue } from '../../server/jobs/enqueue.ts';
import { enqueueNextTurns } from '../../server/jobs/queries.ts';
import { SCHEDULE } from '../../server/jobs/schedule.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });

/** As if everything so far had happened while the clock of the database was ten hours ahead. */
const AHEAD = `
  update deliveries set created_at = created_at + interval '10 hours', next_attempt_at = next_attempt_at + interval '10 hours';
  update graphile_worker._private_jobs set run_at = run_at + interval '10 hours';
  update failed_guesses set last_failed_at = last_failed_at + interval '10 hours';`;

test('when the clock of the database is set back, nothing waits until it is as late again', async () => {
  const receiver = await aWebhookReceiver();
  const form = await home.form();
  const integration = { integration_id: 'webhook', status: 'active', data: { webhook_url: receiver.url } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, integration);
  expect(made.status, made.text).toBe(200);
  await home.submit(form, { [TEXT_FIELD_ID]: 'Grace' });
  const columns = { [TEXT_FIELD_ID]: true };
  const { job_id: job } = (await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns }))
    .body;
  const { context, database, dataDir } = home.service;
  const guess = { email: 'ada@example.org', password: 'wrong' };
  for (let tries = 0; tries < 12; tries++) await home.service.request('POST', '/login', { body: guess });
  await enqueueNextTurns(context.db, SCHEDULE);
  await context.pool.query(AHEAD);

  const worker = await startService({ database, dataDir, env: { ROLES: 'worker' } });
  onTestFinished(() => worker.stop());
  await until(() => receiver.requests.length === 1, { what: 'the delivery' });
  await until(
    async () => {
      const seen = await home.call('GET', `/open/forms/${form.id}/submissions/export/status/${job}`);
      return seen.body.status === 'completed';
    },
    { what: 'the export' },
  );
  const refused = await home.service.request('POST', '/login', { body: guess });
  expect(Number(refused.headers.get('retry-after') ?? 0)).toBeLessThan(20 * 60);
});

test('a task that waits because it failed says nothing about the clock', async () => {
  const { db, pool } = home.service.context;
  await undoClockAhead(db, SCHEDULE);
  await enqueueNextTurns(db, SCHEDULE);
  await enqueue(db, 'resume_exports', {}, { key: 'resume_exports' });
  await pool.query(`
    update graphile_worker._private_jobs set attempts = 6, run_at = now() + interval '7 minutes' where key = 'resume_exports'`);
  expect(await undoClockAhead(db, SCHEDULE)).toBe(0);
});
