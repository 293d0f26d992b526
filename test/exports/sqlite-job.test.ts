import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Context } from '../../server/context.ts';
import { buildExport } from '../../server/exports/jobs/build-export.ts';
import { purgeExpiredExports } from '../../server/exports/jobs/purge-expired.ts';
import type { FileStore } from '../../server/files/file-store.ts';
import { storedFiles } from '../privacy/everywhere.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import { copiesUnderWay, useStalledReaders } from '../setup/long-copies.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';
import { openScratch, scratchFolder, visibleScratch } from './open-scratch.ts';
import { readSqlite } from './sqlite-reader.ts';
import { storeMany } from './stored-submissions.ts';

/** A database is first made in a scratch file, and can be read only when it is complete. */
const LIMIT = 1_000;
const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: String(LIMIT) } });
const stalledReader = useStalledReaders(home);
const NEVER = new AbortController().signal;
const BODY = { columns: { [TEXT_FIELD_ID]: true }, format: 'sqlite' };

const dataDir = () => home.service.dataDir;
const pathOf = (form: { id: number }) => `/open/forms/${form.id}/submissions/export`;
const ask = (form: { id: number }) => home.call('POST', pathOf(form), BODY);
const status = async (form: { id: number }, jobId: string) =>
  (await home.call('GET', `${pathOf(form)}/status/${jobId}`)).body;
const nothingIsLeft = async () => {
  await until(async () => (await openScratch(dataDir())).length === 0, { what: 'the end of all files' });
  expect(await visibleScratch(dataDir())).toEqual([]);
};
afterEach(nothingIsLeft);

/** A form with enough submissions to need a job. */
async function aLongForm(rows = LIMIT + 1) {
  const form = await home.form();
  await storeMany(home.service, form.id, TEXT_FIELD_ID, rows);
  return form;
}

/** A form small enough to be sent at once, with more bytes than sockets and streams buffer. */
async function aHeavyForm() {
  const form = await home.form();
  await prepareRows(home.service, [
    `insert into submissions (form_id, public_id, status, data)
     select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, repeat(n % 10 || 'abc', 25000))
     from generate_series(1, 300) n`,
    [form.id, TEXT_FIELD_ID],
  ]);
  return form;
}

function building(jobId: string, files: Partial<FileStore> = {}, stopping = NEVER) {
  const { context } = home.service;
  const store = { ...context.files, ...files };
  return buildExport({ ...context, files: store } as Context, context.pool, jobId, stopping);
}

/** Never reads what is written to it. */
const stalledStore: Partial<FileStore> = {
  write: (_, content) => new Promise((_, reject) => content.once('error', reject)),
};

describe('a job', () => {
  test('has every submission, packed where that is asked for', async () => {
    const rows = 30_000;
    const form = await aLongForm(rows);
    const { job_id: jobId } = (await ask(form)).body;
    await runAllJobs(home.service.context);
    const job = await status(form, jobId);
    expect(job).toMatchObject({ status: 'completed', processed_submissions: rows });
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(job.file_url, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(answer.headers.get('content-type')).toBe('application/vnd.sqlite3');
      expect(answer.headers.get('content-disposition')).toContain(`${form.slug}-submissions.sqlite"`);
      const { all } = readSqlite(Buffer.from(await answer.arrayBuffer()));
      const [counted] = all(
        `select count(*) as rows, count(distinct name) as names,
           min(id) = (select id from submissions limit 1) as oldest_first from submissions where name like 'answer %'`,
      );
      expect(counted).toEqual({ rows, names: rows, oldest_first: 1 });
    }
  });

  test('leaves nothing when its form is deleted meanwhile', async () => {
    const form = await aLongForm();
    const { job_id: jobId } = (await ask(form)).body;
    const built = building(jobId, stalledStore);
    await until(async () => (await openScratch(dataDir())).length > 0, { what: 'a database' });
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    await built;
    await nothingIsLeft();
  });

  test('is given back when its worker stops, and made by the next one', async () => {
    const form = await aLongForm();
    const { job_id: jobId } = (await ask(form)).body;
    const stop = new AbortController();
    const built = building(jobId, stalledStore, stop.signal);
    await until(async () => (await openScratch(dataDir())).length > 0, { what: 'a database' });
    stop.abort();
    await built;
    await nothingIsLeft();
    expect((await status(form, jobId)).status).toBe('processing');
    await building(jobId);
    expect((await status(form, jobId)).status).toBe('completed');
  });

  test('whose folder cannot be made fails with a plain reason', async () => {
    const form = await aLongForm();
    const { job_id: jobId } = (await ask(form)).body;
    await rm(scratchFolder(dataDir()), { recursive: true, force: true });
    await writeFile(scratchFolder(dataDir()), '');
    try {
      await building(jobId);
      expect(await status(form, jobId)).toMatchObject({
        status: 'failed',
        error_message: 'The folder that keeps exports cannot be written to.',
      });
      expect((await storedFiles(home.service.context)).filter((name) => name.includes(jobId))).toEqual([]);
    } finally {
      await rm(scratchFolder(dataDir()));
    }
  });
});

test('without room nothing is begun, and whoever waits for it is told', async () => {
  const form = await home.form();
  const { files } = home.service.context;
  const { space } = files;
  files.space = async () => ({ free: 0, total: 2_000_000_000 });
  try {
    const answer = await ask(form);
    expectRefused(answer, 503);
    expect(answer.body.message).toBe('There is not enough room where exports are kept.');
  } finally {
    files.space = space;
  }
  expect((await ask(form)).status).toBe(200);
});

test('a database ends with the client it is made for, and keeps no connection while one takes its time', async () => {
  const form = await aHeavyForm();
  const text = JSON.stringify(BODY);
  const readers = Array.from({ length: 5 }, () =>
    stalledReader(
      `POST ${pathOf(form)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${home.ada.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    ),
  );
  await until(async () => (await openScratch(dataDir())).length === readers.length, { what: 'all of them' });
  await until(async () => (await visibleScratch(dataDir())).length === 0, { what: 'no names of theirs' });
  await until(async () => (await copiesUnderWay(home)) === 0, { what: 'all of them to be made' });
  for (const socket of readers) socket.destroy();
  await nothingIsLeft();
});

test('what a process that was killed has left goes with the next purge', async () => {
  const folder = scratchFolder(dataDir());
  await mkdir(folder, { recursive: true });
  const [old, fresh] = [join(folder, 'old'), join(folder, 'fresh')];
  for (const path of [old, fresh]) await writeFile(path, '');
  const before = new Date(Date.now() - 3_700_000);
  await utimes(old, before, before);
  await purgeExpiredExports(home.service.context);
  expect(await visibleScratch(dataDir())).toEqual(['fresh']);
  await rm(fresh);
});
