import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createGzip } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseAllowedNetworks } from '../../server/outbound/address.ts';
import type { Outbound, OutboundRequest } from '../../server/outbound/request.ts';
import { createOutbound } from '../../server/outbound/request.ts';
import { startAnswering, startReceiver, unusedPort } from './receivers.ts';
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from './self-signed.ts';

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
const OK_CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

let outbound: Outbound;
beforeEach(() => {
  outbound = createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8') });
  onTestFinished(() => outbound.close());
});

function post(url: string, options: Partial<OutboundRequest> = {}) {
  return outbound.request({ url, headers: {}, body: '{}', ...options });
}

function answer(status: string, body: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join(
    '\r\n',
  );
}

describe('a request', () => {
  test('carries exactly the path, headers and bytes it was given', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    const result = await post(`${receiver.url}?a=1&b=%20`, {
      headers: { 'User-Agent': 'Formstead/1.0', 'Content-Type': 'application/json', 'X-Key': 'a\tb' },
      body: Buffer.from('{"name":"Zoë"}'),
    });
    expect(result).toMatchObject({ ok: true, status: 204, bodyExcerpt: '' });
    expect(Buffer.from(receiver.requests[0]!, 'latin1').toString()).toBe(
      [
        'POST /hook?a=1&b=%20 HTTP/1.1',
        `host: 127.0.0.1:${receiver.port}`,
        'connection: close',
        'User-Agent: Formstead/1.0',
        'Content-Type: application/json',
        'X-Key: a\tb',
        'content-length: 15',
        '',
        '{"name":"Zoë"}',
      ].join('\r\n'),
    );
  });

  test('can be a GET', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    expect(await outbound.request({ url: receiver.url, method: 'GET', headers: {} })).toMatchObject({
      ok: true,
    });
    expect(receiver.requests[0]).toMatch(/^GET \/hook HTTP\/1\.1\r\n/);
  });

  test.each([
    { 'X-Bad': 'a\r\nX-Injected: 1' },
    { 'X-Bad': 'a\u0000' },
    { 'X Bad': 'a' },
    { 'Content-Length': '1' },
    { 'Transfer-Encoding': 'chunked' },
    { Expect: '100-continue' },
  ])('with the header %j is not sent', async (headers) => {
    const receiver = await startAnswering(NO_CONTENT);
    expect(await post(receiver.url, { headers: headers as unknown as Record<string, string> })).toMatchObject(
      {
        ok: false,
        reason: 'invalid_url',
      },
    );
    expect(receiver.requests.join('')).toBe('');
  });
});

describe('a status is what counts', () => {
  test.each([200, 201, 204, 301, 307, 400, 404, 410, 429, 500, 503])('%i is reported', async (status) => {
    const receiver = await startAnswering(
      answer(`${status} Word`, '', 'Retry-After: 120', 'X-Two: 1', 'X-Two: 2'),
    );
    const result = await post(receiver.url);
    expect(result).toMatchObject({ ok: true, status, headers: { 'retry-after': '120', 'x-two': '1, 2' } });
  });

  test('a redirect, a refresh and an alternative service are not followed', async () => {
    const elsewhere = await startAnswering(NO_CONTENT);
    const receiver = await startAnswering(
      answer(
        '302 Found',
        '',
        `Location: ${elsewhere.url}`,
        `Refresh: 0; url=${elsewhere.url}`,
        `Alt-Svc: http/1.1=":${elsewhere.port}"`,
      ),
    );
    expect(await post(receiver.url, { poolKey: 'a' })).toMatchObject({ ok: true, status: 302 });
    expect(await post(receiver.url, { poolKey: 'a' })).toMatchObject({ ok: true, status: 302 });
    expect(elsewhere.sockets).toHaveLength(0);
  });

  test('early hints are passed over', async () => {
    const receiver = await startAnswering(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer('201 Created', 'yes')}`,
    );
    expect(await post(receiver.url)).toMatchObject({ ok: true, status: 201, bodyExcerpt: 'yes' });
  });

  test('a body that drips does not hide it', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write(OK_CHUNKED);
      const drip = setInterval(() => socket.write('1\r\n.\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await post(receiver.url, { timeoutMs: 300 });
    expect(result).toMatchObject({ ok: true, status: 200 });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
    expect(result.ok && result.bodyExcerpt).toMatch(/^\.+$/);
  });

  test('a body that floods is cut off', async () => {
    let sent = 0;
    const receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      flood(socket, (bytes) => {
        sent += bytes;
      });
    });
    const result = await post(receiver.url, { poolKey: 'a' });
    expect(result).toMatchObject({ ok: true, status: 200, bodyExcerpt: 'a'.repeat(2048) });
    await closed(receiver.sockets[0]!);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a compressed body is not unpacked', async () => {
    const gzip = createGzip({ level: 9 });
    for (let i = 0; i < 40; i++) gzip.write(Buffer.alloc(1024 * 1024));
    gzip.end();
    const bomb = Buffer.concat(await gzip.toArray());
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const receiver = await startAnswering(Buffer.concat([Buffer.from(head), bomb]));
    expect(await post(receiver.url)).toMatchObject({ ok: true, status: 200, bodyExcerpt: '' });
  });

  test('a body that breaks off does not change it', async () => {
    const receiver = await startReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'),
    );
    expect(await post(receiver.url)).toMatchObject({ ok: true, status: 200, bodyExcerpt: 'part' });
  });

  test('the excerpt holds printable text only', async () => {
    const receiver = await startAnswering(answer('200 OK', 'a\u0000b\u001b[31m\u202ec\r\n\tdé€'));
    const result = await post(receiver.url);
    expect(result.ok && result.bodyExcerpt).toBe('a\ufffdb\ufffd[31m\ufffdc\ufffd\n\tdé€');
  });

  test('the excerpt ends at 2 KiB between two characters', async () => {
    const receiver = await startAnswering(answer('200 OK', `a${'€'.repeat(1000)}`));
    const result = await post(receiver.url);
    expect(result.ok && result.bodyExcerpt).toBe(`a${'€'.repeat(682)}`);
  });
});

describe('no status', () => {
  test('a receiver that stays silent', async () => {
    const receiver = await startReceiver(() => {});
    const result = await post(receiver.url, { timeoutMs: 200 });
    expect(result).toMatchObject({
      ok: false,
      reason: 'timeout',
      detail: 'The receiver did not answer in time.',
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(190);
    await closed(receiver.sockets[0]!);
  });

  test('a receiver whose headers drip', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await post(receiver.url, { timeoutMs: 300, poolKey: 'a' })).toMatchObject({ reason: 'timeout' });
    await closed(receiver.sockets[0]!);
  });

  test('a receiver that resets the connection', async () => {
    const receiver = await startReceiver((socket) => socket.resetAndDestroy());
    expect(await post(receiver.url)).toMatchObject({ reason: 'connection_reset' });
  });

  test('a receiver that closes the connection', async () => {
    const receiver = await startReceiver((socket) => socket.end());
    expect(await post(receiver.url)).toMatchObject({ reason: 'connection_reset' });
  });

  test('a port where nobody listens', async () => {
    expect(await post(`http://127.0.0.1:${await unusedPort()}/`)).toMatchObject({
      reason: 'connect_failed',
      detail: 'The connection was refused or the host is unreachable. (ECONNREFUSED)',
    });
  });

  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a nonsense status', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['HTTP/2 settings', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a header block over 16 KiB', `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'an upgrade nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
    ['a change of protocols to none', `HTTP/1.1 101 Switching Protocols\r\n\r\n${NO_CONTENT}`],
    ['a status of three zeros', 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'],
    ['a 100 nobody asked for, which undici does not pass over', `HTTP/1.1 100 Continue\r\n\r\n${NO_CONTENT}`],
  ])('%s', async (_name, bytes) => {
    const receiver = await startAnswering(bytes);
    expect(await post(receiver.url, { timeoutMs: 3000 })).toMatchObject({
      ok: false,
      reason: 'invalid_response',
      detail: 'The receiver did not answer with a valid HTTP response.',
    });
  });

  test.each(['', 'x', 'ftp://127.0.0.1/', 'http://', 'http://a:b@127.0.0.1/'])(
    '"%s" is no URL',
    async (url) => {
      expect(await post(url)).toMatchObject({ ok: false, reason: 'invalid_url' });
    },
  );
});

describe('TLS', () => {
  async function startTlsReceiver(): Promise<number> {
    const server = createTlsServer({ cert: SELF_SIGNED_CERTIFICATE, key: SELF_SIGNED_KEY }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end(NO_CONTENT));
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  test('a certificate nobody trusts is refused, a trusted one must name the host', async () => {
    const port = await startTlsReceiver();
    expect(await post(`https://localhost:${port}/`)).toMatchObject({
      reason: 'tls_failed',
      detail: 'The secure connection could not be established. (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    const trusted = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, SELF_SIGNED_CERTIFICATE]);
    expect(await post(`https://localhost:${port}/`)).toMatchObject({ ok: true, status: 204 });
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({
      reason: 'tls_failed',
      detail: 'The secure connection could not be established. (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
  });

  test('a receiver that speaks plain HTTP', async () => {
    const server = createHttpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ reason: 'tls_failed' });
  });

  test('a receiver that never finishes the handshake', async () => {
    const receiver = await startReceiver(() => {});
    const result = await post(`https://127.0.0.1:${receiver.port}/`);
    expect(result).toMatchObject({ reason: 'connect_timeout' });
    await closed(receiver.sockets[0]!);
  });
});

describe('connections', () => {
  async function postTimes(times: number, url: string, poolKey?: string): Promise<void> {
    for (let i = 0; i < times; i++) {
      expect(await post(url, poolKey === undefined ? {} : { poolKey })).toMatchObject({ ok: true });
      await setImmediate(); // undici frees a connection one turn of the event loop later
    }
  }

  test('are kept within one key and never shared', async () => {
    const receiver = await startAnswering(NO_CONTENT);
    await postTimes(5, receiver.url, 'a');
    expect(receiver.sockets).toHaveLength(1);
    await postTimes(5, receiver.url, 'b');
    expect(receiver.sockets).toHaveLength(2);
    await postTimes(5, receiver.url);
    expect(receiver.sockets).toHaveLength(7);
  });

  test('end after some idle seconds, whatever the receiver offers', async () => {
    const receiver = await startAnswering(answer('200 OK', '', 'Keep-Alive: timeout=600'));
    await postTimes(1, receiver.url, 'a');
    await closed(receiver.sockets[0]!);
  });

  test('are bounded: the pool used longest ago is closed first', async () => {
    // Filling the default number of pools would take longer than an idle connection stays open.
    outbound = createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8'), maxPools: 3 });
    onTestFinished(() => outbound.close());
    const receiver = await startAnswering(NO_CONTENT);
    for (const key of ['a', 'b', 'c', 'a']) await postTimes(1, receiver.url, key);
    expect(receiver.sockets).toHaveLength(3);
    await postTimes(1, receiver.url, 'd');
    await closed(receiver.sockets[1]!);
    expect(receiver.sockets[0]!.destroyed).toBe(false);
  });

  test('that a receiver closed between two requests are replaced', async () => {
    const receiver = await startReceiver((socket) => socket.end(NO_CONTENT));
    await postTimes(1, receiver.url, 'a');
    await closed(receiver.sockets[0]!);
    await postTimes(1, receiver.url, 'a');
    expect(receiver.sockets).toHaveLength(2);
  });

  test('carry many requests at once, each with its own outcome', async () => {
    const receiver = await startReceiver((socket, head) => {
      const status = /\/(\d+) HTTP/.exec(head)?.[1];
      socket.write(answer(`${status} Word`, String(status)));
    });
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        post(`http://127.0.0.1:${receiver.port}/${index + 400}`, { poolKey: 'a' }),
      ),
    );
    expect(results.map((result) => result.ok && result.status)).toEqual(
      results.map((_, index) => index + 400),
    );
    expect(receiver.sockets.length).toBeLessThanOrEqual(64);
  });

  test('closing waits for what is on the wire and takes nothing new', async () => {
    let finish = () => {};
    const arrived = new Promise<void>((resolve) => {
      void startReceiver((socket) => {
        finish = () => socket.write(NO_CONTENT);
        resolve();
      }).then((receiver) => {
        url = receiver.url;
        pending = post(receiver.url, { poolKey: 'a' });
      });
    });
    let url = '';
    let pending: ReturnType<typeof post> | undefined;
    await arrived;
    const closing = outbound.close();
    expect(await post(url)).toMatchObject({ ok: false, reason: 'connect_failed' });
    finish();
    expect(await pending).toMatchObject({ ok: true, status: 204 });
    await closing;
  });
});

function flood(socket: Socket, onSent: (bytes: number) => void): void {
  const block = Buffer.alloc(64 * 1024, 'a');
  const more = () => {
    while (socket.writable) {
      onSent(block.length);
      if (!socket.write(block)) return;
    }
  };
  socket.on('drain', more);
  more();
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}
