import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLOSE_TIMES, closePromptly } from '../../server/http/response/prompt-close.ts';
import { startService, type TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';

/** Longer than a stop that waits for nobody, shorter than the limits of Node, Fastify and a whole stop. */
const PROMPT_MS = 8_000;

const limits = { ...CLOSE_TIMES };
let service: TestService;
beforeEach(async () => {
  service = await startService({ env: { ROLES: 'http' } });
});
afterEach(() => {
  Object.assign(CLOSE_TIMES, limits);
});

/** Opens a connection, sends these bytes and listens. */
async function open(
  bytes: string,
  url = service.url,
): Promise<{ socket: Socket; received: () => string; isClosed: () => boolean }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let [text, closed] = ['', false];
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve));
  return { socket, received: () => text, isClosed: () => closed };
}

async function stopTime(): Promise<number> {
  const startedAt = performance.now();
  await service.stop();
  return performance.now() - startedAt;
}

/** Blocks the process, so that it neither reads nor answers, as on a stalled machine. */
function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** More than a connection buffers. */
const LARGE = 'x'.repeat(30_000_000);
const ASK = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a stop waits for no connection that has asked nothing, or nothing more', async () => {
  const silent = await open('');
  const answered = await open(ASK);
  await until(() => answered.received().includes('200 OK'));
  expect(await stopTime()).toBeLessThan(PROMPT_MS);
  await until(() => silent.isClosed() && answered.isClosed());
});

test('what is being answered when the stop begins is answered, and its connection kept no longer', async () => {
  const body = JSON.stringify({ email: 'ada@example.com', password: 'x' });
  const head = `POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const asking = await open(head + body.slice(0, 5));
  await sleep(100);
  const stopped = stopTime();
  await sleep(300);
  asking.socket.write(body.slice(5));
  expect(await stopped).toBeLessThan(PROMPT_MS);
  expect(asking.received()).toMatch(/^HTTP\/1.1 4\d\d /);
  await until(asking.isClosed);
});

test('a request that arrives while the process is busy is answered', async () => {
  const late = await open('');
  const stopped = stopTime();
  await sleep(100);
  late.socket.write(ASK);
  busyFor(1_500);
  await stopped;
  expect(late.received()).toMatch(/^HTTP\/1.1 200 OK/);
});

test('who reads slowly gets the whole answer', async () => {
  const app = fastify();
  app.get('/livez', async () => LARGE);
  closePromptly(app);
  const slow = await open(ASK, await app.listen({ port: 0 }));
  await until(() => slow.received().includes('200 OK'));
  slow.socket.pause();
  const stopped = app.close();
  await sleep(500);
  slow.socket.resume();
  await stopped;
  await until(slow.isClosed);
  expect(slow.received().length).toBeGreaterThan(LARGE.length);
});

test('who never finishes asking is cut off', async () => {
  CLOSE_TIMES.limitMs = 500;
  const slow = await open('GET /livez HTTP/1.1\r\nHost:');
  expect(await stopTime()).toBeLessThan(PROMPT_MS);
  await until(slow.isClosed);
});
