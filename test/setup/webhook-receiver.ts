import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** By `performance.now()`. */
  at: number;
}

/** A status, a status with headers and body, or a function that handles the response (one that does nothing lets it hang). */
type ScriptedAnswer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; delayMs?: number }
  | ((response: ServerResponse, request: ReceivedRequest) => void);

export interface WebhookReceiver {
  url: string;
  requests: ReceivedRequest[];
  /** Answers for the next requests, one each; after them `fallback`, 200 unless said otherwise. */
  script(answers: ScriptedAnswer[], fallback?: ScriptedAnswer): void;
  /** Resolves once `count` requests in total have arrived. */
  received(count: number): Promise<ReceivedRequest[]>;
  /** The highest number of requests that were open at the same time. */
  maxConcurrency(): number;
  close(): Promise<void>;
}

/** Starts one before the tests of the file (or of the `describe`) and stops it after them. */
export function useWebhookReceiver(): WebhookReceiver {
  const receiver = {} as WebhookReceiver;
  beforeAll(async () => {
    Object.assign(receiver, await startWebhookReceiver());
  });
  afterAll(() => receiver.close?.());
  return receiver;
}

/** One for the test that calls this: stops when the test has finished. */
export async function aWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

/** A real HTTP server on its own port that records all requests. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const waiting: { count: number; resolve(): void }[] = [];
  let answers: ScriptedAnswer[] = [];
  let fallback: ScriptedAnswer = 200;
  let open = 0;
  let mostOpen = 0;

  const server = createServer((incoming, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    mostOpen = Math.max(mostOpen, ++open);
    response.on('close', () => open--);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks), at };
      requests.push(request);
      answer(answers.shift() ?? fallback, response, request);
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    script(next, then = 200) {
      answers = next;
      fallback = then;
    },
    async received(count) {
      if (requests.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return requests;
    },
    maxConcurrency: () => mostOpen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(scripted: ScriptedAnswer, response: ServerResponse, request: ReceivedRequest): void {
  if (typeof scripted === 'function') {
    scripted(response, request);
    return;
  }
  const {
    status,
    headers = {},
    body = '',
    delayMs = 0,
  } = typeof scripted === 'number' ? { status: scripted } : scripted;
  const send = () => response.writeHead(status, headers).end(body);
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
}
