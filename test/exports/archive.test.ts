import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../server/context.ts';
import { buildExport, resumeExports } from '../../server/exports/jobs/build-export.ts';
import { findNextExports } from '../../server/exports/jobs/build-queries.ts';
import { PDF, PNG, upload } from '../files/upload.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { parseRfc4180 } from './rfc4180.ts';
import { storeSubmissions } from './stored-submissions.ts';
import { unzip } from './unzip.ts';

/** A CSV file and the files it names, in one archive. */
const home = useHome({ env: { ROLES: 'http' } });

const PHOTOS = { id: 'photos', type: 'files', name: 'Photos', multiple: true };
const PAPER = { id: 'paper', type: 'files', name: 'Paper' };
const SIGNATURE = { id: 'sign', type: 'signature', name: 'Signature' };
const DRAWN = `data:image/png;base64,${PNG.toString('base64')}`;

const aFormWithFiles = () => home.form({ properties: [aTextField(), PHOTOS, PAPER, SIGNATURE] });

async function sent(form: { slug: string }, field: string, content: Buffer, name: string): Promise<string> {
  const answer = await upload(home.service, form, field, content, name);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.reference;
}

async function* brokenOff(content: AsyncIterable<Buffer>) {
  for await (const chunk of content) {
    yield chunk;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  }
}

async function submit(form: { slug: string }, answers: object): Promise<void> {
  const answer = await home.submit(form, answers);
  expect(answer.status, answer.text).toBe(200);
}

/** Starts a job for a table without files, as for a form with many submissions. */
async function startCsv(form: { id: number }): Promise<string> {
  const { pool } = home.service.context;
  const jobId = await start(form, ['paper']);
  await pool.query(`update export_jobs set options = options || '{"format": "csv"}' where job_id = $1`, [
    jobId,
  ]);
  return jobId;
}

async function start(
  form: { id: number },
  columns: string[],
  more: object = {},
  query = '',
): Promise<string> {
  const wanted = Object.fromEntries(columns.map((name) => [name, true]));
  const body = { columns: wanted, format: 'zip', ...more };
  const answer = await home.call('POST', `/open/forms/${form.id}/submissions/export${query}`, body);
  expect(answer.body, answer.text).toMatchObject({ is_async: true });
  return answer.body.job_id;
}

const jobOf = async (form: { id: number }, jobId: string) =>
  (await home.call('GET', `/open/forms/${form.id}/submissions/export/status/${jobId}`)).body;

async function exportsOf(jobId: string): Promise<string[]> {
  const names = await readdir(join(home.service.dataDir, 'files', 'exports')).catch(() => []);
  return names.filter((name) => name.startsWith(jobId));
}

async function finished(form: { id: number }, jobId: string) {
  await runAllJobs(home.service.context);
  const job = await jobOf(form, jobId);
  expect(job).toMatchObject({ status: 'completed', progress: 100 });
  const response = await fetch(job.file_url);
  expect(response.headers.get('content-type')).toBe('application/zip');
  const parts = unzip(Buffer.from(await response.arrayBuffer()));
  const table = parseRfc4180(String(parts.get('submissions.csv')));
  parts.delete('submissions.csv');
  return { table, files: parts, response };
}

describe('an archive', () => {
  test('holds the table and its files, and the table says where they are', async () => {
    const form = await aFormWithFiles();
    const one = await sent(form, 'photos', PNG, 'Näh maschine.png');
    const two = await sent(form, 'photos', Buffer.concat([PNG, Buffer.from('2')]), 'Näh maschine.png');
    const paper = await sent(form, 'paper', PDF, 'thesis.pdf');
    await submit(form, { [TEXT_FIELD_ID]: 'Ada', photos: [one, two], paper: [paper], sign: DRAWN });
    await submit(form, { [TEXT_FIELD_ID]: 'Grace', sign: 'Grace Hopper' });
    const [grace, ada] = await home.records(form);
    const columns = ['id', TEXT_FIELD_ID, 'photos', 'paper', 'sign'];
    const { table, files, response } = await finished(form, await start(form, columns));
    expect(response.headers.get('content-disposition')).toContain(`${form.slug}-submissions.zip`);
    const at = (name: string) => `files/${ada.id}/${name}`;
    const drawn = ada.data.sign;
    expect(drawn).toMatch(/^sign_.*\.png$/);
    expect(table).toEqual([
      ['id', 'Name', 'Photos', 'Paper', 'Signature'],
      [String(grace.id), 'Grace', '', '', 'Grace Hopper'],
      [String(ada.id), 'Ada', `${at(one)}, ${at(two)}`, at(paper), at(drawn)],
    ]);
    expect(Object.fromEntries(files)).toEqual({
      [at(one)]: PNG,
      [at(two)]: Buffer.concat([PNG, Buffer.from('2')]),
      [at(paper)]: PDF,
      [at(drawn)]: PNG,
    });
  });

  test('holds no files of columns and submissions that are not asked for', async () => {
    const form = await aFormWithFiles();
    for (const name of ['Ada', 'Grace', 'Mary']) {
      const photos = [await sent(form, 'photos', PNG, 'a.png')];
      const paper = [await sent(form, 'paper', PDF, 'a.pdf')];
      await submit(form, { [TEXT_FIELD_ID]: name, photos, paper });
    }
    // A file of another form in the same workspace.
    const other = await aFormWithFiles();
    await submit(other, { photos: [await sent(other, 'photos', PNG, 'other.png')] });
    const [mary, grace, ada] = await home.records(form);
    const foldersOf = (files: Map<string, Buffer>) =>
      [...files.keys()].map((name) => Number(name.split('/')[1]));
    const named = await finished(form, await start(form, ['paper'], { submissionIds: [ada.id, mary.id] }));
    expect([...named.files.values()]).toEqual([PDF, PDF]);
    expect(foldersOf(named.files).sort()).toEqual([ada.id, mary.id].sort());
    const found = await finished(form, await start(form, ['id', 'photos'], {}, '?search=Grace'));
    expect([...found.files.values()]).toEqual([PNG]);
    expect(foldersOf(found.files)).toEqual([grace.id]);
    const none = await finished(form, await start(form, ['id', TEXT_FIELD_ID]));
    expect([none.table.length, none.files.size]).toEqual([4, 0]);
  });

  test('leaves out what nobody has sent, and lists what is gone', async () => {
    const form = await aFormWithFiles();
    const kept = await sent(form, 'paper', PDF, 'kept.pdf');
    const lost = await sent(form, 'paper', PDF, 'lost.pdf');
    await sent(form, 'paper', PDF, 'unsent.pdf');
    await submit(form, { paper: [kept] });
    await submit(form, { paper: [lost] });
    const { pool } = home.service.context;
    const { rows } = await pool.query('select store_name from uploads where name = $1', [lost]);
    await rm(join(home.service.dataDir, 'files', rows[0].store_name));
    const { table, files } = await finished(form, await start(form, ['paper']));
    expect(table).toHaveLength(3);
    const [gone, here] = table.slice(1).flat();
    expect(gone).toContain(lost);
    expect(String(files.get('missing-files.txt'))).toBe(`${gone}\n`);
    files.delete('missing-files.txt');
    expect([...files.keys()]).toEqual([here]);
    expect(here).toContain(kept);
  });

  test('goes on with a file where the store broke off', async () => {
    const form = await aFormWithFiles();
    const content = Buffer.concat([PDF, randomBytes(300_000)]);
    await submit(form, { paper: [await sent(form, 'paper', content, 'long.pdf')] });
    const store = home.service.context.files;
    const { read } = store;
    let breaks = 2;
    store.read = async (name) => {
      const whole = await read(name);
      if (!name.startsWith('uploads/') || !whole || breaks-- <= 0) return whole;
      return Readable.from(brokenOff(whole));
    };
    const { files } = await finished(form, await start(form, ['paper'])).finally(() => {
      store.read = read;
    });
    expect(breaks).toBeLessThan(0);
    expect([...files.values()]).toEqual([content]);
  });

  test('of an empty form is its header', async () => {
    const form = await aFormWithFiles();
    const { table, files } = await finished(form, await start(form, ['id', 'paper'], { bom: true }));
    expect([table, files.size]).toEqual([[['\ufeffid', 'Paper']], 0]);
  });

  test('holds more files than are looked up at a time', async () => {
    const form = await aFormWithFiles();
    const { files: store, pool } = home.service.context;
    const ids = Array.from(
      { length: 1_003 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    await storeSubmissions(
      home.service,
      form.id,
      Array.from({ length: 17 }, (_, n) => ({
        photos: ids.filter((_, at) => at % 17 === n).map((id) => `p_${id}.png`),
      })),
    );
    await pool.query(
      `insert into uploads (id, form_id, property_id, name, store_name, size, submission_public_id, received_at)
       select substring(held from 3 for 36)::uuid, form_id, 'photos', held, 'uploads/00/' || substring(held from 3 for 36), 4,
         public_id, now()
       from submissions, jsonb_array_elements_text(data->'photos') as held where form_id = $1`,
      [form.id],
    );
    for (const id of ids) await store.write(`uploads/00/${id}`, streamOf(id.slice(-4)));
    const { files } = await finished(form, await start(form, ['photos']));
    expect(files.size).toBe(ids.length);
    for (const [name, content] of files) expect(name).toContain(`${content}.png`);
  });

  test('that a stop interrupts is begun anew, and leaves nothing behind', async () => {
    const form = await aFormWithFiles();
    for (let n = 0; n < 3; n++) await submit(form, { paper: [await sent(form, 'paper', PDF, `${n}.pdf`)] });
    const jobId = await start(form, ['paper']);
    const { context } = home.service;
    const stopping = new AbortController();
    let read = 0;
    const store = {
      ...context.files,
      read: async (name: string) => {
        read += 1;
        if (read === 2) stopping.abort();
        return context.files.read(name);
      },
    };
    await buildExport({ ...context, files: store } as Context, context.pool, jobId, stopping.signal);
    expect(await jobOf(form, jobId)).toMatchObject({ status: 'processing', file_url: null });
    expect(await exportsOf(jobId)).toEqual([]);
    await resumeExports(context);
    expect((await finished(form, jobId)).files.size).toBe(3);
  });

  test('fills no disk: it ends with a reason while there is room for everything else', async () => {
    const form = await aFormWithFiles();
    await submit(form, { paper: [await sent(form, 'paper', PDF, 'a.pdf')] });
    const jobId = await start(form, ['paper']);
    const { context } = home.service;
    const files = { ...context.files, space: async () => ({ free: 100_000_000, total: 2_000_000_000 }) };
    await buildExport({ ...context, files } as Context, context.pool, jobId, new AbortController().signal);
    expect(await jobOf(form, jobId)).toMatchObject({
      status: 'failed',
      error_message: 'There is not enough room where exports are kept.',
    });
    expect(await exportsOf(jobId)).toEqual([]);
  });

  test('waits for another one, also of another workspace, and others do not wait for it', async () => {
    const form = await aFormWithFiles();
    await submit(form, { paper: [await sent(form, 'paper', PDF, 'a.pdf')] });
    const { context } = home.service;
    const underWay = await start(await aFormWithFiles(), ['paper']);
    const lease = `update export_jobs set status = 'processing', leased_until = now() + interval '1 minute' where job_id = $1`;
    await context.pool.query(lease, [underWay]);
    const jobId = await start(form, ['paper']);
    const never = new AbortController().signal;
    await buildExport(context, context.pool, jobId, never);
    expect(await jobOf(form, jobId)).toMatchObject({ status: 'queued' });
    expect(await findNextExports(context.db, home.workspaceId)).toEqual([jobId]);
    const table = await startCsv(form);
    expect(await findNextExports(context.db, home.workspaceId)).toEqual([table, jobId]);
    await buildExport(context, context.pool, table, never);
    expect(await jobOf(form, table)).toMatchObject({ status: 'completed' });
    await context.pool.query('delete from export_jobs where job_id = $1', [underWay]);
    await resumeExports(context);
    expect((await finished(form, jobId)).files.size).toBe(1);
  });

  test('is a job however small; other kinds of files there are none', async () => {
    const form = await aFormWithFiles();
    const path = `/open/forms/${form.id}/submissions/export`;
    expect(await start(form, ['id'])).toMatch(/^export_/);
    expectInvalid(await home.call('POST', path, { columns: { id: true }, format: 'rar' }), 'format');
  });
});

function streamOf(text: string) {
  return new Blob([text]).stream() as never;
}
