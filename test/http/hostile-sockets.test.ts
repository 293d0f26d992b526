import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { exchange, pulse } from './hostile-client.ts';

/** Bytes that only hand-written clients send: broken framing, floods, half requests, clients that leave. */
const home = useHome();
let form: any;
let path: string;
const HOST = 'Host: x\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

beforeAll(async () => {
  form = await home.form();
  path = `/forms/${form.slug}/answer`;
});

describe('requests whose end is in doubt are refused and nothing of them is stored', () => {
  const smuggled = `POST /forms/SLUG/answer HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`;
  test.each([
    ['length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks and length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}${smuggled}`],
    ['a list of lengths', `Content-Length: 2, 2\r\n\r\n{}`],
    ['a signed length', `Content-Length: +2\r\n\r\n{}`],
    ['a negative length', `Content-Length: -1\r\n\r\n{}`],
    ['a length beyond 64 bits', `Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['a hexadecimal length', `Content-Length: 0x2\r\n\r\n{}`],
    ['chunked twice', `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked not last', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a bad chunk size', `Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a negative chunk size', `Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`],
    ['an endless chunk size', `Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
    ['a folded header', `X-A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}`],
    ['a bare line feed', `X-A: b\nContent-Length: 2\r\n\r\n{}`],
    ['NUL in a header', `X-A: a\u0000b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a header without a colon', `nonsense\r\nContent-Length: 2\r\n\r\n{}`],
  ])('%s', async (_name, rest) => {
    const stored = (await home.records(form)).length;
    const request = `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}${rest}`.replaceAll('SLUG', form.slug);
    const answers = await exchange(home.service, request);
    expect(statuses(answers)).toEqual([400]);
    expectOurs(answers);
    expect((await home.records(form)).length).toBe(stored);
  });
});

test('a flood of headers is 431, as JSON', async () => {
  for (const header of [
    `X-A: ${'x'.repeat(20_000)}\r\n`,
    'X-A: y\r\n'.repeat(5_000),
    'a:b\r\n'.repeat(50_000),
  ]) {
    const answers = await exchange(home.service, `GET /livez HTTP/1.1\r\n${HOST}${header}\r\n`);
    expect(statuses(answers)).toEqual([431]);
    expectOurs(answers);
  }
});

test('many small headers hide none that counts', async () => {
  const header = `${'a:\r\n'.repeat(2_500)}Authorization: Bearer ${home.ada.token}\r\n`;
  const answers = await exchange(home.service, `GET /user HTTP/1.1\r\n${HOST}${header}\r\n`);
  expect([401, 431, 400]).toContain(statuses(answers)[0]);
});

test('what is no HTTP is refused, whatever it is', async () => {
  for (const bytes of [
    'hello\r\n\r\n',
    '\u0000\u0000\u0000\u0000\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET  / HTTP/1.1\r\n\r\n',
    'BREW /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /livez HTTP/1.1\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    Buffer.from('16030100a1010000', 'hex'),
    'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n',
    'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const answers = await exchange(home.service, bytes, { quietMs: 150 });
    for (const status of statuses(answers))
      expect([200, 400, 404, 405], `${bytes} → ${answers}`).toContain(status);
  }
});

test('a request names one host', async () => {
  for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: x\r\nhOST: x\r\n']) {
    const answers = await exchange(home.service, `GET /livez HTTP/1.1\r\n${hosts}\r\n`);
    expect(statuses(answers)).toEqual([400]);
    expectOurs(answers);
  }
  expect(statuses(await exchange(home.service, 'GET /livez HTTP/1.0\r\n\r\n'))).toEqual([200]);
});

test('any form of the address reaches the same route, or none', async () => {
  const token = `Authorization: Bearer ${home.ada.token}\r\nConnection: close\r\n`;
  const list = `/open/forms/${form.id}/submissions`;
  for (const target of [
    `http://x${list}`,
    `http://x:99999${list}?page=2`,
    `https://user:pw@evil.example${list}`,
    `//x${list}`,
    `${list}?http://x/`,
    `${list}?page=%`,
    `${list}#fragment`,
    `${list};a=b`,
    `*`,
    `${list}/../../..`,
    `/open/workspaces/${home.workspaceId}/forms?search=\\`,
    `http://x/open/workspaces/${home.workspaceId}/forms`,
  ]) {
    const answers = await exchange(home.service, `GET ${target} HTTP/1.1\r\n${HOST}${token}\r\n`);
    const [status = 0] = statuses(answers);
    expect([200, 302, 400, 404, 422], `${target} → ${answers}`).toContain(status);
    if (status === 200) expect(answers, target).not.toContain('evil.example');
  }
});

test('pipelined requests are answered in order, each with its own', async () => {
  const submit = (text: string) => {
    const body = JSON.stringify({ [TEXT_FIELD_ID]: text });
    return `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  const unknown = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`;
  const texts = Array.from({ length: 30 }, (_, n) => `piped ${n} ü`);
  const answers = await exchange(home.service, texts.map((text) => submit(text) + unknown).join(''), {
    quietMs: 1_000,
  });
  expect(statuses(answers)).toEqual(texts.flatMap(() => [200, 404]));
  const ids = [...answers.matchAll(/"submission_id":"([^"]+)"/g)].map(([, id]) => id);
  const stored = new Map(
    (await home.records(form)).map((row) => [row.submission_id, row.data[TEXT_FIELD_ID]]),
  );
  expect(ids.map((id) => stored.get(id))).toEqual(texts);
});

test('half requests are given up and keep nobody else waiting', async () => {
  const { hostname, port } = new URL(home.service.url);
  const sockets = Array.from({ length: 300 }, (_, n) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      n % 2 ? 'POST /x HT' : `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 900\r\n\r\n{"a":`,
    );
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect(await pulse(home.service, '/livez')).toBeLessThan(200);
  expect((await home.submit(form, { [TEXT_FIELD_ID]: 'in between' })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('of clients that vanish, a submission is stored whole or not at all, and the pool is free again', async () => {
  const other = await home.form();
  const { hostname, port } = new URL(home.service.url);
  const { pool } = home.service.context;
  for (let n = 0; n < 500; n++) {
    const body = JSON.stringify({ [TEXT_FIELD_ID]: `gone ${n} ${'ü'.repeat(n * 7)}` });
    const head = `POST /forms/${other.slug}/answer HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const bytes = Buffer.from(head + body);
    const cut = n % 5 === 0 ? bytes : bytes.subarray(0, Math.ceil((bytes.length * (n % 11)) / 10));
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(cut, () => (n % 2 ? socket.destroy() : socket.resetAndDestroy()));
    if (n % 25 === 0) await pause(1);
  }
  await pause(200);
  await until(() => pool.waitingCount === 0 && pool.idleCount === pool.totalCount, { what: 'a free pool' });
  await home.service.context.intake.drain();
  expect((await home.submit(other, { [TEXT_FIELD_ID]: 'here' })).status).toBe(200);
  // One statement reads both, because the last submissions may still be on their way.
  const rows = await home.service.context.db
    .selectFrom('submissions')
    .innerJoin('form_counters', 'form_counters.form_id', 'submissions.form_id')
    .select(['data', 'completed_count'])
    .where('submissions.form_id', '=', other.id)
    .execute();
  const texts = rows.map(({ data }) => (data as Record<string, string>)[TEXT_FIELD_ID] ?? '');
  for (const text of texts) {
    const [, n] = /^gone (\d+) /.exec(text) ?? [];
    if (n !== undefined) expect(text).toBe(`gone ${n} ${'ü'.repeat(Number(n) * 7)}`);
    else expect(text).toBe('here');
  }
  expect(new Set(texts).size).toBe(texts.length);
  expect(rows[0]?.completed_count).toBe(rows.length);
});

function statuses(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Checks that the error looks like any other: only a message, with the headers of all answers. */
function expectOurs(answer: string): void {
  expect(bodyOf(answer)).toEqual({ message: expect.any(String) });
  for (const header of [
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'cache-control',
  ])
    expect(answer.toLowerCase()).toContain(`\r\n${header}: `);
}

function bodyOf(answers: string) {
  return JSON.parse(answers.slice(answers.indexOf('\r\n\r\n') + 4));
}
