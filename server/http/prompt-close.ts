import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What is being answered when the service stops has so long to end. */
export const CLOSE_TIMES = { limitMs: 15_000 };
const LOOK_MS = 50;
/** A request may be on its way: whoever has just come is waited for so long. */
const JUST_CAME_MS = 1_000;

/**
 * Lets a stop wait for nobody but those who are being answered. Node closes what is idle once, when the stop begins: not
 * what becomes idle afterwards, nor connections without a request so far, as browsers open them ahead. And it takes a
 * connection for idle as soon as its answer is complete, while a slow client still reads it.
 */
export function closePromptly(app: FastifyInstance): void {
  const { server } = app;
  const cameAt = new Map<Socket, number>();
  server.on('connection', (socket) => {
    cameAt.set(socket, performance.now());
    socket.once('close', () => cameAt.delete(socket));
  });

  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const isSending = [...cameAt.keys()].some((socket) => socket.writableLength > 0);
    if (!isSending) closeIdleConnections();
  };

  const foundSilent = new WeakSet<Socket>();
  function closeSilent(): void {
    const latest = performance.now() - JUST_CAME_MS;
    for (const [socket, at] of cameAt) {
      if (socket.bytesRead > 0 || at > latest) continue;
      // After a pause of this process its request may have arrived and not been read: the next look comes after that.
      if (foundSilent.has(socket)) socket.destroy();
      else foundSilent.add(socket);
    }
  }

  app.addHook('preClose', async () => {
    const look = setInterval(() => {
      server.closeIdleConnections();
      closeSilent();
    }, LOOK_MS);
    const limit = setTimeout(() => server.closeAllConnections(), CLOSE_TIMES.limitMs);
    server.once('close', () => {
      clearInterval(look);
      clearTimeout(limit);
    });
  });
}
