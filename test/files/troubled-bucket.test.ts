import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aField, aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { PDF, upload } from './upload.ts';

const CV = aField('01', 'files', 'CV');
const DOWNLOADS = 120;

/** What speaks the protocol of S3 as far as one file needs it. */
let bucket: Server;
let download: (response: ServerResponse) => void;
let service: TestService;
beforeEach(async () => {
  bucket = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') return download(response);
    request.on('end', () => response.writeHead(request.method === 'PUT' ? 200 : 204, { etag: '"1"' }).end());
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
afterEach(async () => {
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
  return { form, link: data[0].files[CV.id][0].file_url as string };
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
