import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time for answers that are under way when the service stops. */
export const CLOSE_TIMES = { limitMs: 15_000 };
const LOOK_MS = 50;
/** A connection that is younger than this is not closed yet, as its request may be on the way. */
const JUST_CAME_MS = 1_000;

/**
 * Makes a stop wait only for answers that are under way. Node closes idle connections once, when the stop begins. It misses those
 * that become idle later, and those without a request so far, which browsers open ahead. And it counts a connection as idle once
 * its answer is complete, even while a slow client still reads it.
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
      // If this process was paused, a request may have arrived without being read yet; by the next look it has been.
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
