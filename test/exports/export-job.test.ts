import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/delete-account.ts';
import { CLI } from '../../server/audit/actor.ts';
import type { Context } from '../../server/context.ts';
import { buildExport, resumeExports } from '../../server/exports/jobs/build-export.ts';
import { purgeExpiredExports } from '../../server/exports/jobs/purge-expired.ts';
import type { FileStore } from '../../server/files/file-store.ts';
import { aForm, aMember, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService, type TestService } from '../setup/service.ts';
import { storeMany } from './stored-submissions.ts';

const ROWS = 25;
const NEVER = new AbortController().signal;

let service: TestService;
let context: Context;
let ada: TestUser;
let workspaceId: number;
let form: { id: number; slug: string };
beforeAll(async () => {
  service = await startService({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '20' } });
  context = service.context;
  ada = await aUser(service);
});
beforeEach(async () => {
  await context.pool.query('delete from export_jobs');
  await purgeExpiredExports(context);
  await context.pool.query('delete from graphile_worker._private_jobs');
  workspaceId = await aWorkspace(service, ada);
  form = await aForm(service, ada, workspaceId, { title: 'Large' });
  await storeMany(service, form.id, TEXT_FIELD_ID, ROWS);
});
afterAll(() => service?.stop());

async function start(
  formId = form.id,
  body: object = { columns: { [TEXT_FIELD_ID]: true } },
  { token } = ada,
): Promise<string> {
  const path = `/open/forms/${formId}/submissions/export`;
  const answer = await service.request('POST', path, { token, body });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    type: 'success',
    message: 'Export started. Large export will be processed in the background.',
    job_id: expect.stringMatching(/^export_[0-9a-f]{32}$/),
    is_async: true,
  });
  return answer.body.job_id;
}

const status = (jobId: string, formId = form.id) =>
  service.request('GET', `/open/forms/${formId}/submissions/export/status/${jobId}`, { token: ada.token });

const files = () => readdir(join(service.dataDir, 'files', 'exports')).catch(() => []);

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EXPECTED = `Name\n${Array.from({ length: ROWS }, (_, n) => `answer ${ROWS - n}\n`).join('')}`;

describe('a job', () => {
  test('goes from queued to completed, with ten members in every state', async () => {
    const jobId = await start();
    expect((await status(jobId)).body).toEqual({
      job_id: jobId,
      status: 'queued',
      progress: 0,
      processed_submissions: null,
      total_submissions: null,
      file_url: null,
      expires_at: null,
      error_message: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
    await runAllJobs(context);
    expect((await status(jobId)).body).toEqual({
      job_id: jobId,
      status: 'completed',
      progress: 100,
      processed_submissions: ROWS,
      total_submissions: ROWS,
      file_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/exports\/[\w-]{43}$/),
      expires_at: expect.stringMatching(ISO),
      error_message: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
  });

  test('has the options of its request', async () => {
    const { rows } = await context.pool.query('select id from submissions where form_id = $1 order by id', [
      form.id,
    ]);
    const submissionIds = rows.slice(0, 21).map((row) => row.id);
    const jobId = await start(form.id, { columns: { id: true }, bom: true, submissionIds });
    await runAllJobs(context);
    const { file_url: url } = (await status(jobId)).body;
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.toString()).toBe(`\ufeffid\n${submissionIds.toReversed().join('\n')}\n`);
  });

  test('is not made for few submissions that are named again and again', async () => {
    const { rows } = await context.pool.query('select max(id) as id from submissions where form_id = $1', [
      form.id,
    ]);
    const body = { columns: { id: true }, submissionIds: Array.from({ length: 21 }, () => rows[0].id) };
    const path = `/open/forms/${form.id}/submissions/export`;
    const answer = await service.request('POST', path, { token: ada.token, body });
    expect(answer.text).toBe(`id\n${rows[0].id}\n`);
  });

  test('keeps the names its request saw, whatever happens to the form meanwhile', async () => {
    const jobId = await start();
    await service.request('PUT', `/open/forms/${form.id}`, { token: ada.token, body: { properties: [] } });
    await runAllJobs(context);
    const { file_url: url } = (await status(jobId)).body;
    expect(await (await fetch(url)).text()).toBe(EXPECTED);
  });

  test('is not found under another form, for other people, or by another name', async () => {
    const jobId = await start();
    const other = await aForm(service, ada, workspaceId);
    const eve = await aUser(service, { name: 'Eve' });
    const crossed = await status(jobId, other.id);
    expect(crossed.status).toBe(404);
    expect(crossed.body).toEqual({ message: 'Export job not found or has expired.' });
    expect((await status(`${jobId}0`)).status).toBe(404);
    const path = `/open/forms/${form.id}/submissions/export/status/${jobId}`;
    expect((await service.request('GET', path, { token: eve.token })).status).toBe(403);
    expect((await service.request('GET', path)).status).toBe(401);
  });

  test('never shows less progress than before and stays below 100 until its file is there', async () => {
    const jobId = await start();
    const { pool } = context;
    await pool.query(`update export_jobs set progress = 60, processed_submissions = 15 where job_id = $1`, [
      jobId,
    ]);
    const gate = gatedStore(context.files);
    const building = buildExport({ ...context, files: gate.store }, pool, jobId, NEVER);
    await gate.reached;
    await expect.poll(async () => (await status(jobId)).body.processed_submissions).toBe(ROWS);
    const during = (await status(jobId)).body;
    expect(during).toMatchObject({
      status: 'processing',
      progress: 99,
      file_url: null,
      total_submissions: ROWS,
    });
    gate.open();
    await building;
    expect((await status(jobId)).body).toMatchObject({ status: 'completed', progress: 100 });
  });
});

describe('the link', () => {
  async function aLink(person = ada): Promise<{ jobId: string; url: string }> {
    const jobId = await start(form.id, undefined, person);
    await runAllJobs(context);
    return { jobId, url: (await status(jobId)).body.file_url };
  }

  test('needs no credentials and answers the file to save, compressed or not', async () => {
    const { url } = await aLink();
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="${form.slug}-submissions.csv"`,
      );
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toBe(EXPECTED);
    }
  });

  test('cannot be read from the database', async () => {
    const { url } = await aLink();
    const { rows } = await context.pool.query(
      'select row_to_json(export_jobs)::text as row from export_jobs',
    );
    expect(rows[0].row).not.toContain(url.split('/').at(-1));
  });

  test('is one of a kind: every other token is 404', async () => {
    const { url } = await aLink();
    for (const other of [`${url}A`, url.slice(0, -1), `${url.slice(0, -43)}${'A'.repeat(43)}`]) {
      const answer = await fetch(other);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ message: 'File not found.' });
    }
  });

  test('is valid for 24 hours, or as long as the workspace wants', async () => {
    const day = await aLink();
    expect(await hoursLeft(day.jobId)).toBeCloseTo(24, 1);
    await context.pool.query(
      `update workspaces set settings = '{"external_file_links": {"expires_in_hours": 72}}' where id = $1`,
      [workspaceId],
    );
    expect(await hoursLeft((await aLink()).jobId)).toBeCloseTo(72, 1);
    await context.pool.query(
      `update workspaces set settings = '{"external_file_links": {"expires_in_hours": "soon"}}' where id = $1`,
      [workspaceId],
    );
    expect(await hoursLeft((await aLink()).jobId)).toBeCloseTo(24, 1);
  });

  async function hoursLeft(jobId: string): Promise<number> {
    return (Date.parse((await status(jobId)).body.expires_at) - Date.now()) / 3_600_000;
  }

  test('ends sooner when the workspace shortens the time, and no later when it is longer', async () => {
    const allow = (hours: number | null) =>
      service.request('PUT', `/open/workspaces/${workspaceId}/settings`, {
        token: ada.token,
        body: { external_file_links: { expires_in_hours: hours } },
      });
    await allow(8_784);
    const { url, jobId } = await aLink();
    expect(await hoursLeft(jobId)).toBeCloseTo(8_784, 1);
    await context.pool.query(`update export_jobs set updated_at = updated_at - interval '2 hours'`);
    await allow(3);
    expect([(await fetch(url)).status, await hoursLeft(jobId)]).toEqual([200, expect.closeTo(1, 1)]);
    await allow(1);
    expect([(await fetch(url)).status, (await status(jobId)).status]).toEqual([404, 404]);
    await allow(null);
    expect([(await fetch(url)).status, await hoursLeft(jobId)]).toEqual([200, expect.closeTo(22, 1)]);
    await allow(1);
    await purgeExpiredExports(context);
    expect(await files()).toEqual([]);
  });

  test('ends when who made the export leaves the workspace or is removed, and others stay', async () => {
    const own = await aLink();
    const [ben, eve, ida] = [await aUser(service), await aUser(service), await aUser(service)];
    const links: string[] = [];
    for (const person of [ben, eve, ida]) {
      await aMember(service, ada, workspaceId, person, 'readonly');
      links.push((await aLink(person)).url);
    }
    const path = `/open/workspaces/${workspaceId}`;
    const removed = await service.request('DELETE', `${path}/users/${ben.id}/remove`, { token: ada.token });
    const left = await service.request('POST', `${path}/leave`, { token: eve.token });
    expect([removed.status, left.status]).toEqual([200, 200]);
    await deleteAccount(context.db, ida.email, { withWorkspaces: true }, CLI);
    for (const url of links) expect((await fetch(url)).status).toBe(404);
    expect((await fetch(own.url)).status).toBe(200);
    await runAllJobs(context);
    await purgeExpiredExports(context);
    expect(await files()).toHaveLength(1);
  });

  test('rests while its form is in the trash', async () => {
    const { url } = await aLink();
    const trash = (method: string) =>
      service.request(method, `/open/forms/${form.id}/trash`, { token: ada.token });
    await trash('POST');
    expect((await fetch(url)).status).toBe(404);
    // Members can export from there.
    expect(await (await fetch((await aLink()).url)).text()).toBe(EXPECTED);
    await purgeExpiredExports(context);
    await trash('DELETE');
    expect(await (await fetch(url)).text()).toBe(EXPECTED);
  });

  test('dies with its expiry; job and file go with the next purge, others stay', async () => {
    const expired = await aLink();
    const other = await aLink();
    await context.pool.query('update export_jobs set expires_at = now() where job_id = $1', [expired.jobId]);
    expect((await fetch(expired.url)).status).toBe(404);
    expect((await status(expired.jobId)).status).toBe(404);
    expect((await files()).length).toBe(2);
    await purgeExpiredExports(context);
    expect((await files()).length).toBe(1);
    expect(await (await fetch(other.url)).text()).toBe(EXPECTED);
  });

  test('dies with its form, and the file with the next purge', async () => {
    const { url } = await aLink();
    const deleted = await service.request('DELETE', `/open/forms/${form.id}`, { token: ada.token });
    expect(deleted.status).toBe(204);
    expect((await fetch(url)).status).toBe(404);
    await purgeExpiredExports(context);
    expect(await files()).toEqual([]);
  });
});

describe('when something goes wrong', () => {
  test.each([
    ['ENOSPC', 'The disk that keeps exports is full.'],
    ['EROFS', 'The folder that keeps exports cannot be written to.'],
    ['EIO', 'The export could not be written. Please try again.'],
  ])('%s while writing fails the job and leaves no file', async (code, message) => {
    const jobId = await start();
    const broken: FileStore = {
      ...context.files,
      async write(name, content) {
        content.once('data', () =>
          content.destroy(Object.assign(new Error(`${code} /srv/secret`), { code })),
        );
        await context.files.write(name, content);
      },
    };
    await buildExport({ ...context, files: broken }, context.pool, jobId, NEVER);
    expect((await status(jobId)).body).toMatchObject({
      status: 'failed',
      error_message: message,
      file_url: null,
      expires_at: null,
    });
    expect(await files()).toEqual([]);
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body.status).toBe('failed');
  });

  test('the file of a job that is completed stays, also when nobody hears that it is', async () => {
    const jobId = await start();
    await expect(
      buildExport(breaksAtCompleting(context, 'back'), context.pool, jobId, NEVER),
    ).rejects.toThrow('Connection terminated');
    await resumeExports(context);
    await runAllJobs(context);
    const { body } = await status(jobId);
    expect(body).toMatchObject({ status: 'completed', progress: 100 });
    expect(await (await fetch(body.file_url)).text()).toBe(EXPECTED);
  });

  test('a file that could not be handed over goes with the next attempt, or with the purge', async () => {
    const jobId = await start();
    await expect(
      buildExport(breaksAtCompleting(context, 'there'), context.pool, jobId, NEVER),
    ).rejects.toThrow('Connection terminated');
    const [left] = await files();
    expect((await status(jobId)).body.status).toBe('processing');
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body.status).toBe('completed');
    expect(await files()).toEqual([expect.not.stringContaining(left ?? '')]);

    const lost = await start();
    await expect(
      buildExport(breaksAtCompleting(context, 'there'), context.pool, lost, NEVER),
    ).rejects.toThrow('Connection terminated');
    expect((await files()).length).toBe(2);
    await context.pool.query('delete from export_jobs');
    await purgeExpiredExports(context);
    expect(await files()).toEqual([]);
  });

  test('a job whose worker died starts again and ends with one file', async () => {
    const jobId = await start();
    const gate = gatedStore(context.files);
    // This worker seems dead: its promise stays open until the end of the test.
    const dead = buildExport({ ...context, files: gate.store }, context.pool, jobId, NEVER);
    await gate.reached;
    // It has reported its last progress, so nothing renews the lease for the next ten seconds.
    await expect.poll(async () => (await status(jobId)).body.progress).toBe(99);
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body.status).toBe('processing');
    await context.pool.query(`update export_jobs set leased_until = now() - interval '1 second'`);
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body).toMatchObject({ status: 'completed', progress: 100 });
    // If the worker wakes up after all, it changes nothing.
    gate.open();
    await dead;
    const { file_url: url } = (await status(jobId)).body;
    expect(await (await fetch(url)).text()).toBe(EXPECTED);
    expect((await files()).length).toBe(1);
  });

  test('a job that keeps killing its workers is given up', async () => {
    const jobId = await start();
    await context.pool.query(
      `update export_jobs set status = 'processing', attempts = 5, leased_until = now() - interval '1 second'`,
    );
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('The export was interrupted too often'),
    });
  });

  test('a worker that stops gives the job back at once', async () => {
    const jobId = await start();
    const gate = gatedStore(context.files);
    const stop = new AbortController();
    const building = buildExport({ ...context, files: gate.store }, context.pool, jobId, stop.signal);
    await gate.reached;
    stop.abort();
    gate.open();
    await building;
    expect(await files()).toEqual([]);
    expect((await status(jobId)).body.status).toBe('processing');
    await resumeExports(context);
    await runAllJobs(context);
    expect((await status(jobId)).body.status).toBe('completed');
  });

  test('a form deleted meanwhile stops the work and leaves no file', async () => {
    const jobId = await start();
    const gate = gatedStore(context.files);
    const building = buildExport({ ...context, files: gate.store }, context.pool, jobId, NEVER);
    await gate.reached;
    await service.request('DELETE', `/open/forms/${form.id}`, { token: ada.token });
    gate.open();
    await building;
    expect(await files()).toEqual([]);
  });

  test('of one workspace two exports run at a time and the others wait their turn', async () => {
    const jobs = [await start(), await start(), await start()];
    const [first = '', second = '', third = ''] = jobs;
    const gates = [gatedStore(context.files), gatedStore(context.files)];
    const running = gates.map(({ store }, index) =>
      buildExport({ ...context, files: store }, context.pool, [first, second][index] ?? '', NEVER),
    );
    await Promise.all(gates.map((gate) => gate.reached));
    await context.pool.query('delete from graphile_worker._private_jobs');
    await buildExport(context, context.pool, third, NEVER);
    expect((await status(third)).body.status).toBe('queued');
    for (const gate of gates) gate.open();
    await Promise.all(running);
    await runAllJobs(context);
    for (const jobId of jobs) expect((await status(jobId)).body.status).toBe('completed');
  });
});

/** A context whose connection breaks at the statement that completes an export: before it reaches the database, or after. */
function breaksAtCompleting(context: Context, way: 'there' | 'back'): Context {
  const cut = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('"completed"')) cut.add(queryId);
      if (way === 'there' && cut.has(queryId)) throw new Error('Connection terminated unexpectedly');
      return node;
    },
    async transformResult({ queryId, result }) {
      if (cut.has(queryId)) throw new Error('Connection terminated unexpectedly');
      return result;
    },
  };
  return { ...context, db: context.db.withPlugin(plugin) };
}

/** The real store, which waits for `open` before it begins to write. */
function gatedStore(files: FileStore) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const store: FileStore = {
    ...files,
    async write(name, content) {
      reached.resolve();
      await opened.promise;
      await files.write(name, content);
    },
  };
  return { store, reached: reached.promise, open: () => opened.resolve() };
}
