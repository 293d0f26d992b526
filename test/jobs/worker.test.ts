import { pipeline, Transform } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileStore } from '../../server/files/file-store.ts';
import { startWorker } from '../../server/start/worker.ts';
import { storeMany } from '../exports/stored-submissions.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

const ROWS = 60_000;

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
  await expect.poll(async () => (await status(jobId)).status).toBe('completed');
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

test('the database dropping every connection in the midst of an export delays it and no more', async () => {
  const jobId = await start();
  await expect.poll(async () => (await status(jobId)).status, { interval: 5 }).toBe('processing');
  await service.context.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const url = await untilCompleted(jobId);
  const lines = (await (await fetch(url)).text()).split('\n');
  expect(lines.length).toBe(ROWS + 2);
});

test('stopping does not wait for a long export, and the next worker begins it again at once', async () => {
  const http = await startService({
    env: { EXPORT_SYNC_LIMIT: '0', ROLES: 'http' },
    dataDir: service.dataDir,
  });
  const owner = await aUser(http);
  const large = await aForm(http, owner, await aWorkspace(http, owner));
  const stuck = stuckStore(http.context.files);
  const first = await startWorker({ ...http.context, files: stuck.store });
  const path = `/open/forms/${large.id}/submissions/export`;
  // More than the buffers on the way hold.
  await storeMany(http, large.id, TEXT_FIELD_ID, ROWS);
  const { body } = await http.request('POST', path, {
    token: owner.token,
    body: { columns: { [TEXT_FIELD_ID]: true } },
  });
  const state = async () =>
    (await http.request('GET', `${path}/status/${body.job_id}`, { token: owner.token })).body;
  await stuck.reached;
  await first.stop();
  expect(await state()).toMatchObject({ status: 'processing', file_url: null });
  const next = await startWorker(http.context);
  await expect.poll(async () => (await state()).status).toBe('completed');
  await next.stop();
  await http.stop();
});

/** The real store behind a stream that never ends by itself. */
function stuckStore(files: FileStore) {
  const reached = Promise.withResolvers<void>();
  const store: FileStore = {
    ...files,
    async write(name, content) {
      const stuck = new Transform({ transform: () => reached.resolve() });
      pipeline(content, stuck, () => {});
      await files.write(name, stuck);
    },
  };
  return { store, reached: reached.promise };
}
