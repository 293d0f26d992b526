import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { aField, aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { PDF, upload } from './upload.ts';

const CV = aField('01', 'files', 'CV');
const DOWNLOADS = 120;
/** The time limit of a bucket for an answer. */
const LIMIT_MS = 20_000;
/** Its time limit for accepting a file. */
const WRITING_LIMIT_MS = 12_000;
const SHORT_LIMIT_MS = 500;

/** A server with as much of the S3 protocol as one file needs. */
let bucket: Server;
let download: (response: ServerResponse) => void;
let remove: (response: ServerResponse) => void;
let take: (response: ServerResponse) => void;
let service: TestService;
beforeAll(async () => {
  bucket = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') return download(response);
    if (request.method === 'DELETE') return remove(response);
    request.on('end', () => take(response));
  }).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
  const { port } = bucket.address() as AddressInfo;
  const env = {
    S3_BUCKET: 'forms',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  service = await startService({ env });
});
beforeEach(() => {
  remove = (response) => response.writeHead(204).end();
  take = (response) => response.writeHead(200, { etag: '"1"' }).end();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  bucket.closeAllConnections();
  await service.stop();
  bucket.close();
});

/** A form with one answered file. @returns the form, and the link to the file */
async function aFile() {
  const ada = await aUser(service);
  const form = await aForm(service, ada, await aWorkspace(service, ada), { properties: [CV] });
  const { body } = await upload(service, form, CV.id, PDF, 'cv.pdf');
  const answers = { [CV.id]: [body.reference] };
  expect((await service.request('POST', `/forms/${form.slug}/answer`, { body: answers })).status).toBe(200);
  const options = { token: ada.token };
  const { data } = (await service.request('GET', `/open/forms/${form.id}/submissions`, options)).body;
  return { ada, form, link: data[0].files[CV.id][0].file_url as string };
}

/** Tests need not wait the whole time limit of the bucket. */
function shortenLimit(): void {
  const wait = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number, ...rest: never[]) =>
    wait(work, ms === LIMIT_MS ? SHORT_LIMIT_MS : ms, ...rest)) as typeof setTimeout);
}

test('many slow downloads keep nobody from uploading', async () => {
  const { form, link } = await aFile();
  const begun: ServerResponse[] = [];
  download = (response) => {
    response.writeHead(200, { 'content-length': PDF.length }).write(PDF.subarray(0, 10));
    begun.push(response);
  };
  const downloads = Promise.all(
    Array.from({ length: DOWNLOADS }, async () => (await fetch(link)).arrayBuffer()),
  );
  downloads.catch(() => {});
  await until(() => begun.length >= 50);
  const uploaded = await upload(service, form, CV.id, PDF, 'cv.pdf');
  expect(uploaded.status, uploaded.text).toBe(201);
  download = (response) => response.writeHead(200, { 'content-length': PDF.length }).end(PDF);
  for (const response of begun) response.end(PDF.subarray(10));
  for (const content of await downloads) expect(Buffer.from(content)).toEqual(PDF);
});

test.each([
  [503, 'SlowDown'],
  [500, 'InternalError'],
  [403, 'AccessDenied'],
  [404, 'NoSuchBucket'],
  [404, 'NoSuchKey'],
])('a bucket that answers %i %s', async (status, code) => {
  const { link } = await aFile();
  download = (response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>…</Message></Error>`);
  const answer = await fetch(link);
  const isGone = code === 'NoSuchKey';
  expect([answer.status, answer.headers.get('retry-after')]).toEqual(isGone ? [404, null] : [503, '2']);
});

test('a bucket that does not answer keeps neither readers nor other jobs waiting, and is asked again', async () => {
  const files = [await aFile(), await aFile(), await aFile(), await aFile()];
  const asked = new Set<ServerResponse>();
  const hang = (response: ServerResponse) => {
    asked.add(response);
    response.on('close', () => asked.delete(response));
  };
  [download, remove] = [hang, hang];
  shortenLimit();
  for (const { link } of files) expect((await fetch(link)).status).toBe(503);
  for (const {
    ada: { token },
    form,
  } of files)
    expect((await service.request('DELETE', `/open/forms/${form.id}`, { token })).status).toBe(204);
  const { pool } = service.context;
  const failed = `select from graphile_worker.jobs where task_identifier = 'remove_files' and last_error like '%did not answer%'`;
  await until(async () => (await pool.query(failed)).rowCount === files.length, {
    what: 'the end of all jobs',
  });
  remove = (response) => response.writeHead(204).end();
  const left = 'select from uploads where form_id = any($1)';
  const ids = files.map(({ form }) => form.id);
  await until(async () => (await pool.query(left, [ids])).rowCount === 0, { what: 'no files' });
  await until(() => asked.size === 0, { what: 'the end of the connections' });
});

test('a bucket that takes a file and does not say so is asked three times, and then given up', async () => {
  const { form } = await aFile();
  const { setTimeout } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, ...rest) {
    return setTimeout.call(this, ms === WRITING_LIMIT_MS ? SHORT_LIMIT_MS : ms, ...rest);
  });
  let asked = 0;
  take = () => {
    asked++;
  };
  const refused = await upload(service, form, CV.id, PDF, 'cv.pdf');
  expect([refused.status, asked]).toEqual([503, 3]);
  take = (response) => response.writeHead(200, { etag: '"1"' }).end();
  expect((await upload(service, form, CV.id, PDF, 'cv.pdf')).status).toBe(201);
});
