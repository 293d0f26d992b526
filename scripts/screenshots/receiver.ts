import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Accepts so many webhooks, most of them at the first attempt, as real programs do. It never accepts one of the last. */
export async function startReceiver(count: number): Promise<{ url: string; close(): void }> {
  const order = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    const isFirstTry = !order.has(id);
    const place = order.get(id) ?? order.size;
    order.set(id, place);
    request.resume().on('end', () => {
      const isBusy = place === count - 4 || (isFirstTry && place === count - 6);
      const say = isBusy ? '{"error":"The database is being backed up."}' : '{"stored":true}';
      setTimeout(
        () => response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' }).end(say),
        40 + ((place * 37) % 110),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
