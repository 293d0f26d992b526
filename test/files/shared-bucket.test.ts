import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NoRoom } from '../../server/files/no-room.ts';
import { visibleScratch } from '../exports/open-scratch.ts';
import { readSqlite } from '../exports/sqlite-reader.ts';
import { unzip } from '../exports/unzip.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';
import { aField, aForm, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService, type TestService } from '../setup/service.ts';
import { PDF, upload } from './upload.ts';

const CV = aField('01', 'files', 'CV', { multiple: true });

/** Two processes as on two machines: they share the database, the key and the bucket, but no disk. */
let bucket: Bucket;
let first: TestService;
let second: TestService;
let ada: TestUser;
let workspaceId: number;

beforeAll(async () => {
  bucket = await startBucket();
  const env = { ...bucket.env, SECRET_KEY: 'ab'.repeat(32), ROLES: 'http', EXPORT_SYNC_LIMIT: '0' };
  first = await startService({ env });
  second = await startService({ env, database: first.database });
  ada = await aUser(first);
  workspaceId = await aWorkspace(first, ada);
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
  await bucket?.close();
});

/** All names in the folder of this file in the store, its own included. */
function neighbours(service: TestService, name: string): Promise<string[]> {
  return service.context.files.list(name.slice(0, name.lastIndexOf('/')));
}

/** Fetches the link from another process, as a balancer may do. */
function fetchFrom(service: TestService, link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  return fetch(service.url + pathname + search);
}

test('what one process received the other keeps, gives out and removes', async () => {
  const form = await aForm(first, ada, workspaceId, { properties: [CV] });
  const { body } = await upload(first, form, CV.id, PDF, 'cv.pdf');
  const submitted = await second.request('POST', `/forms/${form.slug}/answer`, {
    body: { [CV.id]: [body.reference] },
  });
  expect(submitted.status, submitted.text).toBe(200);
  const { rows } = await first.context.pool.query('select store_name as name from uploads');
  const [{ name }] = rows;
  for (const service of [first, second]) expect(await neighbours(service, name)).toEqual([name]);

  const records = await second.request('GET', `/open/forms/${form.id}/submissions`, { token: ada.token });
  const [record] = records.body.data;
  const [{ file_url: link }] = record.files[CV.id];
  for (const service of [first, second]) {
    const answer = await fetchFrom(service, link);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  }
  const altered = link.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
  for (const service of [first, second]) expect((await fetchFrom(service, altered)).status).not.toBe(200);

  const path = `/open/forms/${form.id}/submissions/${record.id}`;
  expect((await first.request('DELETE', path, { token: ada.token })).status).toBe(200);
  for (const service of [first, second]) expect((await fetchFrom(service, link)).status).toBe(404);
  await runAllJobs(second.context);
  for (const service of [first, second]) expect(await neighbours(service, name)).toEqual([]);
});

test('an export made by one, of files that the other received, is downloaded from both', async () => {
  const form = await aForm(first, ada, workspaceId, { properties: [CV] });
  const { reference } = (await upload(first, form, CV.id, PDF, 'cv.pdf')).body;
  await first.request('POST', `/forms/${form.slug}/answer`, { body: { [CV.id]: [reference] } });
  const path = `/open/forms/${form.id}/submissions/export`;
  const options = { token: ada.token, body: { columns: { [CV.id]: true }, format: 'zip' } };
  const { body } = await first.request('POST', path, options);
  await runAllJobs(second.context);
  const job = await first.request('GET', `${path}/status/${body.job_id}`, { token: ada.token });
  expect(job.body.status, job.text).toBe('completed');
  for (const service of [first, second]) {
    const answer = await fetchFrom(service, job.body.file_url);
    const parts = unzip(Buffer.from(await answer.arrayBuffer()));
    const [table, [name = '', file] = []] = [...parts];
    expect(String(table?.[1])).toBe(`CV\n${name}\n`);
    expect([name.endsWith(`/${reference}`), file]).toEqual([true, PDF]);
  }
});

test('a database is made on the disk of one, and downloaded from both', async () => {
  const form = await aForm(first, ada, workspaceId, { properties: [CV] });
  const { body } = await upload(second, form, CV.id, PDF, 'cv.pdf');
  await first.request('POST', `/forms/${form.slug}/answer`, { body: { [CV.id]: [body.reference] } });
  const path = `/open/forms/${form.id}/submissions/export`;
  const order = { columns: { [CV.id]: true }, format: 'sqlite' };
  const started = await first.request('POST', path, { token: ada.token, body: order });
  await runAllJobs(second.context);
  const job = await first.request('GET', `${path}/status/${started.body.job_id}`, { token: ada.token });
  for (const service of [first, second]) {
    const answer = await fetchFrom(service, job.body.file_url);
    expect(answer.headers.get('content-type')).toBe('application/vnd.sqlite3');
    const { all } = readSqlite(Buffer.from(await answer.arrayBuffer()));
    const [{ value: link }] = all('select value from cv') as [{ value: string }];
    expect((await fetchFrom(service, link)).status).toBe(200);
    expect(await visibleScratch(service.dataDir)).toEqual([]);
  }
});

test('what is too much for a bucket is told before anything is sent', async () => {
  const content = Readable.from(['x']);
  const writing = first.context.files.write('exports/huge.zip', content, { expectedBytes: 1e12 });
  await expect(writing).rejects.toThrow(NoRoom);
  expect(content.destroyed).toBe(true);
  expect(await first.context.files.list('exports')).not.toContain('exports/huge.zip');
});
