import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { judge, proxyHeaders } from '../../server/doctor/proxy-headers.ts';
import { PROBE_HEADER, probeProof } from '../../server/http/network/doctor-probe.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { startService, type TestService } from '../setup/service.ts';

let plain: TestService;
let trusting: TestService;
const proxies: Server[] = [];
beforeAll(async () => {
  plain = await startService({ env: { ROLES: 'http' } });
  const { database, dataDir } = plain;
  trusting = await startService({ database, dataDir, env: { ROLES: 'http', TRUST_PROXY: '127.0.0.1/32' } });
});
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
});
afterAll(async () => {
  await trusting.stop();
  await plain.stop();
});

/** The doctor's findings behind a proxy that changes the headers like this. */
async function behind(service: TestService, change: (headers: IncomingHttpHeaders) => void, more = {}) {
  const { port } = new URL(service.url);
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers };
    change(headers);
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: incoming.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return proxyHeaders(readConfig({ BASE_URL: baseUrl, DATA_DIR: service.dataDir, ...more }));
}

const good = (headers: IncomingHttpHeaders) => {
  headers['x-forwarded-for'] = '203.0.113.7';
  headers['x-forwarded-proto'] = 'http';
};

test('a proxy that says everything and is believed', async () => {
  expect(await behind(trusting, good)).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('says who'),
  });
});

test('one that nobody trusts: the mend is the exact setting', async () => {
  expect(await behind(plain, good)).toMatchObject({
    status: 'warn',
    mend: expect.stringContaining('TRUST_PROXY=127.0.0.1/32'),
  });
});

test('a trusted one on this machine, where the doctor asks from the same address', async () => {
  const local = (headers: IncomingHttpHeaders) => {
    good(headers);
    headers['x-forwarded-for'] = '127.0.0.1';
  };
  const trust = { TRUST_PROXY: '10.0.0.0/8, 127.0.0.0/8' };
  expect(await behind(trusting, local, trust)).toMatchObject({ status: 'ok' });
  expect(await behind(trusting, local, { TRUST_PROXY: '10.0.0.0/8' })).toMatchObject({ status: 'warn' });
});

test('one that changes the host, or names another protocol', async () => {
  const otherHost = await behind(trusting, (headers) => {
    good(headers);
    headers.host = 'inside:3000';
  });
  expect(otherHost).toMatchObject({ status: 'warn', mend: expect.stringContaining('Host $http_host') });
  const silent = await behind(plain, (headers) => {
    headers.host = 'inside:3000';
  });
  expect(silent).toMatchObject({ status: 'warn', mend: expect.stringContaining('X-Forwarded-For') });
  const seen = {
    peer: '10.0.0.3',
    address: '203.0.113.7',
    is_forwarded: true,
    protocol: 'http',
    host: 'f.example',
  };
  expect(judge(seen, new URL('https://f.example'))).toMatchObject({
    status: 'warn',
    mend: expect.stringContaining('X-Forwarded-Proto'),
  });
  expect(judge({ ...seen, protocol: 'https' }, new URL('https://f.example')).status).toBe('ok');
  expect(judge({ ...seen, peer: '::1', address: '::1' }, new URL('http://f.example')).mend).toContain(
    '::1/128',
  );
});

test('without the key nothing is asked, and with another one it is told', async () => {
  expect(await behind(trusting, good, { DATA_DIR: '/nonexistent' })).toMatchObject({ status: 'ok' });
  const other = await behind(trusting, good, { SECRET_KEY: 'ab'.repeat(32) });
  expect(other).toMatchObject({ status: 'warn', found: expect.stringContaining('does not know the key') });
});

test('strangers learn nothing, nor does an old proof', async () => {
  const ask = async (proof?: string) =>
    (await plain.request('GET', '/livez', { headers: proof === undefined ? {} : { [PROBE_HEADER]: proof } }))
      .body;
  const { secrets } = plain.context;
  expect(Object.keys(await ask(probeProof(secrets)))).toEqual(['status', 'seen']);
  const old = String(Math.floor(Date.now() / 1000) - 61);
  for (const proof of [
    undefined,
    '',
    'x',
    probeProof(createSecretBox(Buffer.alloc(32))),
    `${old}.${secrets.sign(old, 'doctor')}`,
  ])
    expect(await ask(proof)).toEqual({ status: 'ok' });
});
