import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect } from 'vitest';
import { buildApp } from '../../server/app.ts';
import type { Context } from '../../server/context.ts';
import { processorMs } from '../setup/processor-time.ts';
import type { TestService } from '../setup/service.ts';

/** Part of every hostile text: an error that contains it repeats what it refuses. */
export const CANARY = 'c4n4ry';

/** The statuses a client may get, whatever it sends. */
const DECENT = [200, 201, 202, 203, 204, 303, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 431];
/** However busy the machine is, only a hang takes this long. */
const HANGS_MS = 30_000;
/** The time limit for the first byte of an answer, which usually comes far sooner. */
const FIRST_ANSWER_MS = 5_000;
/** Requests that measure the pulse. */
const BEATS = 21;
const LEAKS = /node_modules|\.ts:\d|\n\s+at |select .+ from|insert into|SQLSTATE|postgres|kysely|undefined/i;

/** A page contains words and paths that `LEAKS` would take for a leak. */
const PAGE_LEAKS = /node_modules|\n\s+at \S+ \(|select .+ from|insert into|SQLSTATE|kysely/i;
/** Markup of the corpus that must not come back unescaped. */
const LIVE_MARKUP = /<script>alert|<svg\/onload|"><img src=x/i;

export interface HostileAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface HostileRequest {
  method: string;
  path: string;
  headers?: Record<string, string | string[]> | undefined;
  body?: string | Buffer | undefined;
}

const kept = new Agent({ keepAlive: true, maxSockets: 16 });
const fresh = new Agent({ keepAlive: false });

/** Sends exactly these headers and bytes, where an ordinary client would mend or refuse them. */
export function sendHostile(
  service: TestService,
  { method, path, headers, body }: HostileRequest,
  agent = kept,
) {
  return new Promise<HostileAnswer>((resolve, reject) => {
    const request = httpRequest(service.url, {
      method,
      path,
      agent,
      headers: { ...lengthOf(headers, body), ...headers },
    });
    request.setTimeout(HANGS_MS, () => request.destroy(new Error(`${method} ${path}: no answer`)));
    request.on('error', (error) => {
      // The service may close an idle connection at the very moment it is used again.
      if (request.reusedSocket)
        sendHostile(service, { method, path, headers, body }, fresh).then(resolve, reject);
      else
        reject(new Error(`${method} ${path.slice(0, 200)} ${String(body).slice(0, 80)}: ${error.message}`));
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.end(body);
  });
}

/** Without a length, Node would send the body of a DELETE unframed, as stray bytes after the request. */
function lengthOf(headers: HostileRequest['headers'], body: HostileRequest['body']) {
  if (body === undefined || headers?.['transfer-encoding'] !== undefined) return {};
  return { 'content-length': String(Buffer.byteLength(body)) };
}

/**
 * Checks that a client can act on the status and that nothing internal leaks. An error is JSON with a message, and does not
 * repeat the refused input. A page for a browser may show the input again, but never as markup.
 */
export function expectDecent(answer: HostileAnswer, label: string, { mayBePage = false } = {}): void {
  const told = `${label} → ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(DECENT, told).toContain(answer.status);
  if (mayBePage) expect(answer.text, told).not.toMatch(LIVE_MARKUP);
  if (mayBePage && answer.headers['content-type']?.startsWith('text/html')) {
    expect(answer.text, told).not.toMatch(PAGE_LEAKS);
    return;
  }
  if (answer.status < 400) return;
  expect(answer.headers['content-type'], told).toMatch(/^application\/json/);
  const body = JSON.parse(answer.text);
  // JSON-RPC 2.0, 5.1, and OData JSON Format 4.0, 19: the message is in the member `error`.
  const { message } = body.jsonrpc || answer.headers['odata-version'] ? body.error : body;
  expect(typeof message === 'string' && message !== '', told).toBe(true);
  expect(answer.text, told).not.toMatch(LEAKS);
  expect(answer.text, told).not.toContain(CANARY);
}

/**
 * Writes the bytes to a new connection and returns everything received until it ends, or until `quietMs` after the last byte.
 * Gives up if nothing arrives within `answerMs`.
 */
export function exchange(
  service: TestService,
  bytes: string | Buffer,
  { quietMs = 300, answerMs = FIRST_ANSWER_MS } = {},
): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    // The first answer may take long on a busy machine.
    socket.setTimeout(answerMs, () => socket.destroy());
    socket.once('data', () => socket.setTimeout(quietMs));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

export async function registeredRoutes(context: Context): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const onNewInstance = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  };
  subscribe('fastify.initialization', onNewInstance);
  const app = await buildApp(context);
  unsubscribe('fastify.initialization', onNewInstance);
  await app.ready();
  await app.close();
  return routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
}

/** Checks that the service is alive. @returns processor time of a simple request in milliseconds, the client's included */
export async function pulse(service: TestService, path: string): Promise<number> {
  const spent = await processorMs(async () => {
    for (let beat = 0; beat < BEATS; beat++)
      expect((await sendHostile(service, { method: 'GET', path })).status).toBe(200);
  });
  return spent / BEATS;
}
