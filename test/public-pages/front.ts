import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What becomes of requests: all goes through, nobody answers, somebody has no time, or what is posted arrives without a receipt. */
type Weather = 'fine' | 'hanging' | 'busy' | 'lossy';

/** Stands before a service, for browsers and their workers alike. */
export interface Front {
  url: string;
  weather: Weather;
}

/** Goes after the test. */
export async function aFront(serviceUrl: string): Promise<Front> {
  const front: Front = { url: '', weather: 'fine' };
  const server = createServer((asked, answer) => {
    if (front.weather === 'hanging') return;
    if (front.weather === 'busy') return void answer.writeHead(503).end('{}');
    const isLost = front.weather === 'lossy' && asked.method === 'POST';
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? '/', serviceUrl), { method, headers }, (received) => {
      if (isLost) return void received.resume().on('end', () => answer.destroy());
      answer.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
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
