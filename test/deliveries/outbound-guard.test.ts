import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseAllowedNetworks } from '../../server/outbound/address.ts';
import type { Outbound } from '../../server/outbound/request.ts';
import { createOutbound } from '../../server/outbound/request.ts';
import { recordConnectionAttempts, startAnswering, startReceiver, unusedPort } from './receivers.ts';
import { URL_CORPUS } from './url-corpus.ts';

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

let lookups: string[];
let attempts: string[];
beforeEach(() => {
  lookups = [];
  attempts = recordConnectionAttempts();
});

/** Each look-up gets the next answer, with its addresses separated by spaces; the last one is repeated. */
function outboundResolving(answers: string[], allowed = ''): Outbound {
  const left = [...answers];
  const outbound = createOutbound({
    allowedNetworks: parseAllowedNetworks(allowed),
    lookup: async (hostname) => {
      lookups.push(hostname);
      return ((left.length > 1 ? left.shift() : left[0]) ?? '')
        .split(' ')
        .filter((address) => address !== '');
    },
  });
  onTestFinished(() => outbound.close());
  return outbound;
}

function post(outbound: Outbound, url: string, poolKey?: string) {
  return outbound.request({ url, headers: {}, body: '{}', ...(poolKey === undefined ? {} : { poolKey }) });
}

describe('no connection leaves for a forbidden address', () => {
  test.each(URL_CORPUS.filter((entry) => entry.expected === 'block-at-connect'))(
    '$url, resolving to $answers',
    async ({ url, answers }) => {
      const forbidden = await startAnswering(NO_CONTENT);
      const target = url.replace('/hook', `:${forbidden.port}/hook`);
      const result = await post(outboundResolving(answers ?? []), target);
      expect(result).toMatchObject({
        ok: false,
        reason: 'blocked_address',
        detail: 'The host resolves to an address that may not be reached.',
      });
      expect(lookups).toHaveLength(1);
      expect(attempts).toEqual([]);
      expect(forbidden.sockets).toHaveLength(0);
    },
  );

  test('not even for what the check at save refuses', async () => {
    const outbound = outboundResolving(['169.254.169.254']);
    const refused = URL_CORPUS.filter(
      (entry) => entry.expected === 'refuse' && entry.problem !== 'not a URL',
    );
    expect(refused.length).toBeGreaterThan(100);
    for (const { url } of refused) {
      // A URL with credentials is refused before its address is checked; empty ones do not count.
      const reason =
        new URL(url).username === '' && new URL(url).password === '' ? 'blocked_address' : 'invalid_url';
      expect(await post(outbound, url), url).toMatchObject({ ok: false, reason });
    }
    expect(attempts).toEqual([]);
  });

  test('a malformed URL is never sent anywhere', async () => {
    const outbound = outboundResolving(['10.0.0.1']);
    const malformed = URL_CORPUS.filter((entry) => entry.problem === 'not a URL');
    for (const { url } of malformed) {
      const result = await post(outbound, url);
      expect(
        result.ok === false && ['invalid_url', 'blocked_address', 'connect_failed'].includes(result.reason),
        url,
      ).toBe(true);
    }
    expect(attempts.filter((address) => !address.startsWith('256.'))).toEqual([]);
  });
});

describe('the checked address is the connected address', () => {
  test('the recorder does see a connection that is allowed', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const outbound = outboundResolving(['127.0.0.1'], '127.0.0.1');
    const url = `http://receiver.example.com:${receiver.port}/hook`;
    expect(await post(outbound, url)).toMatchObject({ ok: true, status: 204 });
    expect(receiver.requests[0]).toContain(`host: receiver.example.com:${receiver.port}\r\n`);
    expect(attempts).toEqual(['127.0.0.1']);
    expect(lookups).toEqual(['receiver.example.com']);
  });

  test('a name that turns to another address is refused at the next connection', async () => {
    const receiver = await startReceiver((socket) => socket.end(NO_CONTENT), '0.0.0.0');
    const outbound = outboundResolving(['127.0.0.1', '127.0.0.2', '127.0.0.1 127.0.0.2'], '127.0.0.1');
    const url = `http://rebinding.example.com:${receiver.port}/hook`;
    expect(await post(outbound, url)).toMatchObject({ ok: true });
    expect(await post(outbound, url)).toMatchObject({ reason: 'blocked_address' });
    expect(await post(outbound, url)).toMatchObject({ reason: 'blocked_address' });
    expect(attempts).toEqual(['127.0.0.1']);
    expect(receiver.sockets).toHaveLength(1);
    expect(lookups).toHaveLength(3);
  });

  test('an open connection stays with the address it was checked for', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const outbound = outboundResolving(['127.0.0.1', '10.0.0.1'], '127.0.0.1');
    const url = `http://rebinding.example.com:${receiver.port}/hook`;
    expect(await post(outbound, url, 'a')).toMatchObject({ ok: true });
    await setImmediate(); // undici frees a connection one turn of the event loop later
    expect(await post(outbound, url, 'a')).toMatchObject({ ok: true });
    expect(await post(outbound, url, 'b')).toMatchObject({ reason: 'blocked_address' });
    expect(receiver.sockets).toHaveLength(1);
  });

  test('a second address of the same answer is used when the first refuses', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const outbound = outboundResolving(['127.0.0.3 127.0.0.1'], '127.0.0.0/8');
    const url = `http://two.example.com:${receiver.port}/hook`;
    expect(await post(outbound, url)).toMatchObject({ ok: true });
    expect(attempts).toEqual(['127.0.0.3', '127.0.0.1']);
  });

  test('localhost is this machine without asking anyone, as far as it is open', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const open = outboundResolving(['10.0.0.1'], '127.0.0.0/8');
    expect(await post(open, `http://localhost:${receiver.port}/`)).toMatchObject({ ok: true });
    expect(await post(open, `http://a.localhost:${receiver.port}/`)).toMatchObject({ ok: true });
    const closed = outboundResolving(['93.184.215.14']);
    expect(await post(closed, `http://localhost:${receiver.port}/`)).toMatchObject({
      reason: 'blocked_address',
    });
    expect(lookups).toEqual([]);
  });

  test('open and closed ports of a forbidden address look the same', async () => {
    const open = await startAnswering(NO_CONTENT);
    const outbound = outboundResolving(['127.0.0.1']);
    const results = [];
    for (const port of [open.port, await unusedPort()]) {
      const { durationMs: _, ...result } = await post(outbound, `http://ports.example.com:${port}/`);
      results.push(result);
    }
    expect(open.sockets).toEqual([]);
    expect(results[0]).toEqual(results[1]);
  });

  test('proxy variables are not read', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const proxy = await startAnswering(NO_CONTENT);
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    onTestFinished(() => {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    });
    for (const name of names)
      process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`;
    expect(await post(outboundResolving([], '127.0.0.1'), receiver.url)).toMatchObject({ ok: true });
    expect(proxy.sockets).toHaveLength(0);
  });
});

describe('names that do not resolve', () => {
  test('an empty answer and a failing look-up are the same ordinary failure', async () => {
    const failing = createOutbound({
      allowedNetworks: parseAllowedNetworks(''),
      lookup: () => Promise.reject(Object.assign(new Error('10.0.0.53 said no'), { code: 'ESERVFAIL' })),
    });
    onTestFinished(() => failing.close());
    expect(await post(outboundResolving(['']), 'http://empty.example.com/')).toMatchObject({
      reason: 'dns_failed',
    });
    expect(await post(failing, 'http://failing.example.com/')).toMatchObject({
      reason: 'dns_failed',
      detail: 'The host name could not be resolved. (ESERVFAIL)',
    });
  });

  test('a look-up that never ends is given up with the connection', async () => {
    const hanging = createOutbound({
      allowedNetworks: parseAllowedNetworks(''),
      lookup: () => new Promise(() => {}),
    });
    onTestFinished(() => hanging.close());
    const result = await post(hanging, 'http://hanging.example.com/');
    expect(result).toMatchObject({ reason: 'connect_timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(4900);
  });
});
