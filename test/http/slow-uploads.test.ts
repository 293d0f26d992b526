import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSlowUploads, takeTime } from '../../server/http/slow-uploads.ts';

/** The server's own limit for requests, far shorter than the real one. */
const LIMIT_MS = 200;
const app = Fastify({
  requestTimeout: LIMIT_MS,
  http: { headersTimeout: LIMIT_MS, connectionsCheckingInterval: 20 },
});
let port: number;

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
  app.post('/upload', async (request) => request.body);
  app.post('/answer', async (request) => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

async function begin(path: string): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab`);
  return { socket, said: () => text };
}

test('an upload may take longer than other requests', async () => {
  const upload = await begin('/upload');
  const answer = await begin('/answer');
  // The other one shows that the limit has passed.
  await once(answer.socket, 'close');
  expect(answer.said()).toContain('408');
  expect(upload.said()).toBe('');
  upload.socket.write('cd');
  await expect.poll(upload.said).toMatch(/^HTTP\/1\.1 200[\s\S]*abcd$/);
  // The next request of the connection is like any other.
  upload.socket.write(
    'POST /answer HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab',
  );
  await once(upload.socket, 'close');
  expect(upload.said()).toContain('408');
});
