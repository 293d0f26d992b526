import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { takeMessage } from './http-connection.ts';

/** Receives webhooks and answers 204 as quickly as possible. Times are `performance.now()` of this process. */
export interface Receiver {
  url: string;
  forget(): void;
  /** Calls back with every body until the next `forget`. */
  watch(onBody: (body: string, arrivedAt: number) => void): void;
  /** Resolves when `count` have arrived since the last `forget`. @throws Error when they do not in time */
  arrivals(count: number, limitMs: number): Promise<{ count: number; milliseconds: number }>;
  close(): void;
}

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';
const LOOK_INTERVAL_MS = 20;

export async function startReceiver(): Promise<Receiver> {
  let [count, firstAt, lastAt] = [0, 0, 0];
  let onBody: ((body: string, arrivedAt: number) => void) | null = null;

  const server = createServer({ noDelay: true }, (socket) => {
    let received = '';
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      received += chunk;
      for (let message = takeMessage(received); message; message = takeMessage(received)) {
        received = message.rest;
        lastAt = performance.now();
        if (count === 0) firstAt = lastAt;
        count++;
        onBody?.(message.body, lastAt);
        socket.write(ANSWER);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    forget() {
      count = 0;
      onBody = null;
    },
    watch(listener) {
      onBody = listener;
    },
    async arrivals(wanted, limitMs) {
      const deadline = performance.now() + limitMs;
      while (count < wanted) {
        if (performance.now() > deadline)
          throw new Error(`Of ${wanted} webhooks ${count} arrived within ${limitMs / 1000} s.`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
      }
      return { count, milliseconds: lastAt - firstAt };
    },
    close: () => server.close(),
  };
}
