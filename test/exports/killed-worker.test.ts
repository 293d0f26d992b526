import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService, type TestService } from '../setup/service.ts';
import { openScratch, visibleScratch } from './open-scratch.ts';
import { readSqlite } from './sqlite-reader.ts';
import { storeMany } from './stored-submissions.ts';

const ROWS = 200_000;
const MAIN = new URL('../../server/cli/main.ts', import.meta.url).pathname;

let service: TestService;
let ada: TestUser;
let form: { id: number };
let worker: ChildProcess;
/** The error output of the worker. */
let said: string;
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });
  ada = await aUser(service);
  form = await aForm(service, ada, await aWorkspace(service, ada));
  await storeMany(service, form.id, TEXT_FIELD_ID, ROWS);
});
afterAll(() => service?.stop());

beforeEach(async () => {
  worker = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      // Not the whole environment: the test runner sets variables of its own.
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ROLES: 'worker',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl(service.database.connection),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  said = '';
  worker.stderr?.on('data', (text) => {
    said += text;
  });
  if (worker.stdout) await once(worker.stdout, 'data');
});
afterEach(() => {
  worker?.kill('SIGKILL');
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

const exportsFolder = () => join(service.dataDir, 'files', 'exports');
const files = () => readdir(exportsFolder()).catch(() => []);

test.each(['csv', 'sqlite'])(
  'a %s export whose worker is killed with SIGKILL starts again by itself and ends completed, with one file',
  async (format) => {
    const { body } = await call('POST', '', { columns: { [TEXT_FIELD_ID]: true }, format });
    const status = async () => (await call('GET', `/status/${body.job_id}`)).body;
    const mine = async () => (await files()).filter((name) => name.startsWith(body.job_id));
    await expect
      .poll(mine, { interval: 5 })
      .toEqual([expect.stringMatching(new RegExp(`\\.${format}\\.part$`))]);
    const { pid = 0 } = worker;
    if (format === 'sqlite')
      await expect
        .poll(() => openScratch(service.dataDir, pid), { interval: 5 })
        .toContainEqual(expect.stringMatching(/ \(deleted\)$/));
    const exit = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exit;
    expect(said).toBe('');
    const interrupted = await status();
    expect(interrupted).toMatchObject({ status: 'processing', file_url: null });
    expect(await mine()).toEqual([expect.stringMatching(/\.part$/)]);
    expect(await visibleScratch(service.dataDir)).toEqual([]);

    // In place of the clock: the lease ends after 30 seconds, and a task that runs every minute finds the job.
    const { pool } = service.context;
    await pool.query(`update export_jobs set leased_until = leased_until - interval '31 seconds'`);
    await pool.query(`select graphile_worker.add_job('resume_exports', '{}')`);
    await runAllJobs(service.context, ['resume_exports', 'build_export']);

    const completed = await status();
    expect(completed).toMatchObject({ status: 'completed', progress: 100, processed_submissions: ROWS });
    expect(await namesIn(await fetch(completed.file_url), format)).toEqual({
      count: ROWS,
      newest: `answer ${ROWS}`,
    });
    expect(await mine()).toEqual([expect.stringMatching(new RegExp(`\\.${format}$`))]);
    expect(await openScratch(service.dataDir)).toEqual([]);
  },
);

async function namesIn(answer: Response, format: string) {
  if (format === 'sqlite') {
    const { all } = readSqlite(Buffer.from(await answer.arrayBuffer()));
    const [found] = all(
      'select count(distinct name) as count, name as newest, max(id) as id from submissions',
    );
    return { count: found?.count, newest: found?.newest };
  }
  const lines = (await answer.text()).split('\n');
  return { count: lines.length - 2, newest: lines[1] };
}
