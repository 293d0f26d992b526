import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installSlowUploads, takeTime } from '../../server/http/request/slow-uploads.ts';

/** The server's own limit for requests, far shorter than the real one. */
const LIMIT_MS = 200;
/** The time between two checks of an upload, and what a test waits instead. */
const [LOOK_MS, SHORT_LOOK_MS] = [5_000, 20];
/** More than the longest allowed silence of an upload. */
const SILENCE_MS = 31_000;
const app = Fastify({
  requestTimeout: LIMIT_MS,
  http: { headersTimeout: LIMIT_MS, connectionsCheckingInterval: 20 },
});
let port: number;
const events = new EventEmitter();
/** The timers that keep a process from ending. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

beforeAll(async () => {
  installSlowUploads(app);
  app.addContentTypeParser('text/plain', (request, payload, done) => {
    if (request.url === '/upload') takeTime(request);
    let text = '';
    payload.on('data', (chunk) => {
      text += chunk;
    });
    payload.on('end', () => done(null, text));
  });
  app.addContentTypeParser('text/held', (request, payload, done) => {
    takeTime(request);
    events.emit('held', payload);
    done(null);
  });
  app.post('/held', () => new Promise(() => {}));
  app.post('/upload', async (request) => request.body);
  app.post('/answer', async (request) => request.body);
  app.get('/late', async (request) => {
    const gone = once(request.raw.socket, 'close');
    events.emit('arrived');
    await gone;
    const before = timers();
    takeTime(request);
    events.emit('timers', timers() - before);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => app.close());

async function begin(path: string, type = 'text/plain'): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 4\r\n\r\nab`);
  return { socket, said: () => text };
}

test('an upload may take longer than other requests', async () => {
  const upload = await begin('/upload');
  const answer = await begin('/answer');
  // The end of the other request shows that the limit has passed.
  await once(answer.socket, 'close');
  expect(answer.said()).toContain('408');
  expect(upload.said()).toBe('');
  upload.socket.write('cd');
  await expect.poll(upload.said).toMatch(/^HTTP\/1\.1 200[\s\S]*abcd$/);
  // The usual limit holds again for the next request of the connection.
  upload.socket.write(
    'POST /answer HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab',
  );
  await once(upload.socket, 'close');
  expect(upload.said()).toContain('408');
});

test('a sender who has left before keeps nothing from ending', async () => {
  const arrived = once(events, 'arrived');
  const more = once(events, 'timers');
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n'));
  await arrived;
  socket.destroy();
  expect(await more).toEqual([0]);
});

test('an upload is silent only while somebody reads it', async () => {
  const looks = vi.fn();
  const [repeat, now] = [globalThis.setInterval, performance.now.bind(performance)];
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((look: () => void, ms: number) => {
    if (ms !== LOOK_MS) return repeat(look, ms);
    return repeat(() => {
      look();
      looks();
    }, SHORT_LOOK_MS);
  }) as typeof setInterval);
  const looked = async () => {
    looks.mockClear();
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
  };
  const held = once(events, 'held');
  const { socket } = await begin('/held', 'text/held');
  const closed = once(socket, 'close');
  const [payload] = await held;
  later += SILENCE_MS;
  await looked();
  expect(socket.closed).toBe(false);
  payload.resume();
  await looked();
  later += SILENCE_MS;
  await closed;
});
