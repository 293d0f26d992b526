import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService, type TestService } from '../setup/service.ts';
import { storeMany } from './stored-submissions.ts';

const ROWS = 200_000;
const MAIN = new URL('../../server/cli/main.ts', import.meta.url).pathname;

let service: TestService;
let ada: TestUser;
let form: { id: number };
let worker: ChildProcess;
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });
  ada = await aUser(service);
  form = await aForm(service, ada, await aWorkspace(service, ada));
  await storeMany(service, form.id, TEXT_FIELD_ID, ROWS);
  worker = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      // Not the whole environment: the test runner sets variables of its own.
      PATH: process.env.PATH,
      ROLES: 'worker',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl(service.database.connection),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (worker.stdout) await once(worker.stdout, 'data');
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await service?.stop();
});

function databaseUrl(connection: pg.ClientConfig): string {
  const { host = '', port, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function call(method: string, path: string, body?: object) {
  return service.request(method, `/open/forms/${form.id}/submissions/export${path}`, {
    token: ada.token,
    body,
  });
}

const files = () => readdir(join(service.dataDir, 'files', 'exports')).catch(() => []);

test('an export whose worker is killed with SIGKILL starts again by itself and ends completed, with one file', async () => {
  const { body } = await call('POST', '', { columns: { [TEXT_FIELD_ID]: true } });
  const status = async () => (await call('GET', `/status/${body.job_id}`)).body;
  await expect.poll(files, { interval: 5 }).toEqual([expect.stringMatching(/\.csv\.part$/)]);
  const exit = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exit;
  const interrupted = await status();
  expect(interrupted).toMatchObject({ status: 'processing', file_url: null });
  expect(await readdir(join(service.dataDir, 'files', 'exports'))).toEqual([
    expect.stringMatching(/\.part$/),
  ]);

  // What the clock does: the lease passes after 30 seconds, and a task that runs every minute finds the job.
  const { pool } = service.context;
  await pool.query(`update export_jobs set leased_until = leased_until - interval '31 seconds'`);
  await pool.query(`select graphile_worker.add_job('resume_exports', '{}')`);
  await runAllJobs(service.context);

  const completed = await status();
  expect(completed).toMatchObject({ status: 'completed', progress: 100, processed_submissions: ROWS });
  const lines = (await (await fetch(completed.file_url)).text()).split('\n');
  expect(lines.length).toBe(ROWS + 2);
  expect(lines[1]).toBe(`answer ${ROWS}`);
  expect(await files()).toEqual([expect.stringMatching(/\.csv$/)]);
});
