import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  headers: IncomingHttpHeaders;
  /** The bytes as they came: the signature is over these, not over JSON that was read and written again. */
  body: Buffer;
}

export interface Receiver {
  url: string;
  /** By `webhook-id`, which is the same when a delivery comes again. */
  deliveries: Map<string, Delivery>;
  /** Deliveries that came again; at least once is promised, not exactly once. */
  repeats: number;
  /** When a delivery was last seen for the first time, in milliseconds of `performance.now()`. */
  lastAt: number;
  /** Waits until there are this many deliveries or the time is over. */
  waitFor(count: number, timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** A webhook receiver on a free loopback port. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const id = String(request.headers['webhook-id']);
    if (receiver.deliveries.has(id)) receiver.repeats++;
    else {
      receiver.deliveries.set(id, { headers: request.headers, body: Buffer.concat(chunks) });
      receiver.lastAt = performance.now();
    }
    response.writeHead(204).end();
    server.emit('delivery');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/survey`,
    deliveries: new Map(),
    repeats: 0,
    lastAt: performance.now(),
    async waitFor(count, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        while (receiver.deliveries.size < count) await once(server, 'delivery', { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
