import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLongDatabase } from '../../server/jobs/long-database.ts';
import { cronItems } from '../../server/jobs/schedule.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { storeMany } from '../exports/stored-submissions.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

const ROWS = 30_000;

let service: TestService;
let ada: TestUser;
let form: { id: number };
beforeAll(async () => {
  service = await startService({ env: { EXPORT_SYNC_LIMIT: '0' } });
  ada = await aUser(service);
  form = await aForm(service, ada, await aWorkspace(service, ada));
  await storeMany(service, form.id, TEXT_FIELD_ID, ROWS);
});
afterAll(() => service?.stop());

async function start(): Promise<string> {
  const path = `/open/forms/${form.id}/submissions/export`;
  const answer = await service.request('POST', path, {
    token: ada.token,
    body: { columns: { [TEXT_FIELD_ID]: true } },
  });
  return answer.body.job_id;
}

async function status(jobId: string) {
  const path = `/open/forms/${form.id}/submissions/export/status/${jobId}`;
  return (await service.request('GET', path, { token: ada.token })).body;
}

async function untilCompleted(jobId: string): Promise<string> {
  await expect.poll(async () => (await status(jobId)).status, { timeout: 20_000 }).toBe('completed');
  return (await status(jobId)).file_url;
}

test('a job is begun at once and its state only moves forward', async () => {
  const jobId = await start();
  const order = ['queued', 'processing', 'completed'];
  let last = { status: 'queued', progress: 0, processed_submissions: 0 };
  while (last.status !== 'completed') {
    const next = await status(jobId);
    expect(order.indexOf(next.status)).toBeGreaterThanOrEqual(order.indexOf(last.status));
    expect(next.progress).toBeGreaterThanOrEqual(last.progress);
    expect(next.processed_submissions ?? 0).toBeGreaterThanOrEqual(last.processed_submissions ?? 0);
    last = next;
  }
  expect(last).toMatchObject({ progress: 100, processed_submissions: ROWS });
});

test('the worker goes on after the database has dropped every connection', async () => {
  await service.context.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const jobId = await start();
  const url = await untilCompleted(jobId);
  const lines = (await (await fetch(url)).text()).split('\n');
  expect(lines.length).toBe(ROWS + 2);
});

test('stopping does not wait for the end of an export, and the next worker finishes it', async () => {
  const second = await startService({
    env: { EXPORT_SYNC_LIMIT: '0', ROLES: 'worker' },
    database: service.database,
    dataDir: service.dataDir,
  });
  const jobId = await start();
  await second.stop();
  await untilCompleted(jobId);
});

test('everything on the schedule is a task', async () => {
  const long = openLongDatabase(service.context);
  const tasks = createTasks(service.context, long);
  await long.close();
  for (const { task } of cronItems()) expect(tasks).toHaveProperty(task);
});
