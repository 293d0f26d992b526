import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * `hanging` answers nothing; `busy` answers 503, `fileless` only for files; `lossy` passes posts on and loses their answers;
 * `refused` answers posts with 403, `sign-in` with the sign-in page of a network, `foreign` with JSON that is not the service's.
 */
type Weather = 'fine' | 'hanging' | 'busy' | 'fileless' | 'lossy' | 'refused' | 'sign-in' | 'foreign';

/** A proxy before a service, for browsers and their workers alike. */
export interface Front {
  url: string;
  weather: Weather;
  /** After this many bytes of a part of a file its connection breaks, once; null for never. */
  breaksAfter: number | null;
  /** Bytes of parts of files that were passed on. */
  partBytes: number;
  /** Answers all hanging requests with 503. */
  giveUp(): void;
}

/** Runs until the end of the test. */
export async function aFront(serviceUrl: string): Promise<Front> {
  const front: Front = {
    url: '',
    weather: 'fine',
    breaksAfter: null,
    partBytes: 0,
    giveUp: () => {
      for (const answer of hanging.splice(0)) answer.writeHead(503).end('{}');
    },
  };
  const hanging: ServerResponse[] = [];
  const server = createServer((asked, answer) => {
    if (front.weather === 'hanging') return void hanging.push(answer);
    const isBusy = front.weather === 'busy' || (front.weather === 'fileless' && isUpload(asked));
    if (isBusy) return void asked.resume().on('end', () => answer.writeHead(503).end('{}'));
    const isRefused = front.weather === 'refused' && asked.method === 'POST';
    if (isRefused) return void asked.resume().on('end', () => answer.writeHead(403).end('<h1>Blocked</h1>'));
    const strange = { 'sign-in': '<h1>Sign in</h1>', foreign: '{"ok":true}' }[front.weather as string];
    const isStrange = strange !== undefined && asked.method !== 'GET';
    if (isStrange) return void asked.resume().on('end', () => answer.end(strange));
    const isLost = front.weather === 'lossy' && asked.method === 'POST';
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? '/', serviceUrl), { method, headers }, (received) => {
      if (isLost) return void received.resume().on('end', () => answer.destroy());
      answer.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    if (method === 'PATCH') {
      let bytes = 0;
      asked.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        front.partBytes += chunk.length;
        if (front.breaksAfter === null || bytes < front.breaksAfter) return;
        front.breaksAfter = null;
        asked.destroy();
        passed.destroy();
      });
    }
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return front;
}

function isUpload({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'POST' && url.includes('/files?')) || (method !== 'GET' && url.includes('/uploads'));
}
