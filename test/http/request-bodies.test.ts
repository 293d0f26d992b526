import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { sendHostile } from './hostile-client.ts';

const home = useHome();
const JSON_TYPE = { 'content-type': 'application/json' };
let form: any;

beforeAll(async () => {
  form = await home.form();
});

async function send(method: string, path: string, headers: object, body?: string | Buffer) {
  const authorization = `Bearer ${home.ada.token}`;
  const answer = await sendHostile(home.service, {
    method,
    path,
    headers: { authorization, ...headers },
    body,
  });
  const told = answer.text === '' ? {} : JSON.parse(answer.text);
  return { status: answer.status, message: told.message as string, headers: answer.headers, body: told };
}

describe('a call without a body that names a content type', () => {
  const data = { webhook_url: 'http://127.0.0.1:9/' };
  const hook = { integration_id: 'webhook', status: 'inactive', data };

  test.each(['', undefined])('is taken where no body is wanted (%j)', async (body) => {
    const doomed = await home.form();
    await home.submit(doomed, { [TEXT_FIELD_ID]: 'x' });
    const path = `/open/forms/${doomed.id}`;
    const [record] = await home.records(doomed);
    const { id } = (await home.call('POST', `${path}/integrations`, hook)).body.form_integration;
    const workspaceId = await aWorkspace(home.service, home.ada);
    for (const [method, at, status] of [
      ['POST', `${path}/duplicate`, 200],
      ['POST', `${path}/preview`, 201],
      ['POST', `${path}/draft/publish`, 404],
      ['POST', `${path}/integrations/${id}/test`, 200],
      ['DELETE', `${path}/integrations/${id}`, 200],
      ['DELETE', `${path}/submissions/${record.id}`, 200],
      ['DELETE', path, 204],
      ['POST', `/open/workspaces/${workspaceId}/leave`, 422],
      ['DELETE', `/open/workspaces/${workspaceId}`, 200],
      ['POST', '/nowhere', 404],
    ] as const)
      expect([at, (await send(method, at, JSON_TYPE, body)).status]).toEqual([at, status]);
  });

  test('is 400 where one is, and makes no submission', async () => {
    for (const path of [`/forms/${form.slug}/answer`, '/open/forms', `/open/forms/${form.id}/move`]) {
      const { status, message } = await send('POST', path, JSON_TYPE, '');
      expect([path, status, message]).toEqual([path, 400, 'The request body is empty.']);
    }
    expect(await home.records(form)).toEqual([]);
  });
});

describe('a body that cannot be read is told what is wrong with it', () => {
  const FORBIDDEN =
    'The request body has a key that is not allowed: __proto__, or a prototype in a constructor.';

  test.each([
    ['{"a":1,}', 'The request body is not valid JSON.'],
    ['{', 'The request body is not valid JSON.'],
    ['\ufeff{"a":NaN}', 'The request body is not valid JSON.'],
    ['{"__proto__":1', 'The request body is not valid JSON.'],
    ['{"__proto__":{"a":1}}', FORBIDDEN],
    ['\ufeff{"a":[{"constructor":{"prototype":1}}]}', FORBIDDEN],
  ])('%s', async (body, message) => {
    for (const path of [
      '/open/forms',
      `/forms/${form.slug}/answer`,
      `/open/forms/${form.id}/submissions/export`,
    ]) {
      const answer = await send('POST', path, JSON_TYPE, body);
      expect([path, answer.status, answer.message]).toEqual([path, 400, message]);
    }
  });

  test('the columns of an export are read behind a byte order mark, and as UTF-8 only', async () => {
    const path = `/open/forms/${form.id}/submissions/export`;
    const marked = await sendHostile(home.service, {
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${home.ada.token}`, ...JSON_TYPE },
      body: '\ufeff{"columns":{"status":true,"id":true}}',
    });
    expect([marked.status, marked.text]).toEqual([200, 'status,id\n']);
    const latin = await send('POST', path, JSON_TYPE, Buffer.from('{"columns":{"\u00e9":true}}', 'latin1'));
    expect([latin.status, latin.message]).toEqual([400, 'The request body is not valid UTF-8.']);
  });

  test.each(['01=café', '01=caf%E9', '01=caf%C3', 'caf%e9=1'])(
    'the post of a form in another encoding, %s, is refused',
    async (body) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const post = (bytes: string | Buffer) => send('POST', `/forms/${form.slug}`, type, bytes);
      const { status, message } = await post(Buffer.from(body, 'latin1'));
      expect([status, message]).toEqual([400, 'The request body is not valid UTF-8.']);
      for (const good of ['01=%EF%BF%BD', '01=%zz100%', '01=caf%C3%a9+é'])
        expect((await post(good)).status, good).toBe(200);
    },
  );

  test.each(['iso-8859-1', '"windows-1252"', 'utf-16'])('bodies in %s are refused', async (charset) => {
    const message = `The request body must be UTF-8, not ${charset.replaceAll('"', '')}.`;
    const before = (await home.records(form)).length;
    const answers = `/forms/${form.slug}`;
    for (const [path, type] of [
      [`${answers}/answer`, 'application/json'],
      [`/open/forms/${form.id}/submissions/import`, 'application/json'],
      [answers, 'application/x-www-form-urlencoded'],
      [answers, 'multipart/form-data; boundary=x'],
    ] as const) {
      const headers = { 'content-type': `${type}; charset=${charset}`, accept: 'application/json' };
      const answer = await send('POST', path, headers, '{}');
      expect([path, type, answer.status, answer.message]).toEqual([path, type, 415, message]);
    }
    expect(await home.records(form)).toHaveLength(before);
  });

  test('of a body that is not there nothing is asked', async () => {
    const form = await home.form();
    const headers = { 'content-type': 'text/plain; charset=ISO-8859-1' };
    const options = { token: home.ada.token, headers };
    const answer = await home.service.request('DELETE', `/open/forms/${form.id}`, options);
    expect(answer.status, answer.text).toBe(204);
  });

  test.each(['utf-8', '"UTF-8"', 'utf8', 'us-ascii'])('bodies in %s are read', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const answer = await send('POST', `/forms/${form.slug}/answer`, headers, '{}');
    expect(answer.status, answer.message).toBe(200);
  });

  test('packed bodies are refused, whether they are packed or not', async () => {
    const message = 'The request body must be sent as it is, without a Content-Encoding.';
    const plain = Buffer.from(`{"${TEXT_FIELD_ID}":"x"}`);
    const path = `/forms/${form.slug}/answer`;
    for (const [coding, body] of [
      ['gzip', gzipSync(plain)],
      ['gzip', plain],
      ['identity, br', plain],
    ] as const) {
      const answer = await send('POST', path, { ...JSON_TYPE, 'content-encoding': coding }, body);
      expect([answer.status, answer.message]).toEqual([415, message]);
      expect(answer.headers['accept-encoding']).toBe('identity');
    }
    const same = await send('POST', path, { ...JSON_TYPE, 'content-encoding': 'Identity' }, plain);
    expect(same.status).toBe(200);
    const stranger = await send('POST', '/open/forms', {
      ...JSON_TYPE,
      authorization: 'none',
      'content-encoding': 'gzip',
    });
    expect(stranger.status).toBe(401);
  });

  test.each([
    ['/open/forms', 'text/csv', 'application/json'],
    ['files', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ['files', 'application/json', 'multipart/form-data'],
    ['', 'application/json', 'application/x-www-form-urlencoded or multipart/form-data'],
  ])('%s does not take %s', async (place, type, wanted) => {
    const path = place.startsWith('/') ? place : `/forms/${form.slug}/${place}`.replace(/\/$/, '');
    const answer = await send('POST', path, { 'content-type': type }, '{}');
    expect([answer.status, answer.message]).toEqual([415, `The content type must be ${wanted}.`]);
  });
});
