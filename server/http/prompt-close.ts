import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What is being answered when the service stops has so long to end. */
export const CLOSE_TIMES = { limitMs: 15_000 };
const LOOK_MS = 50;
/** A request may be on its way: whoever has just come is waited for so long. */
const JUST_CAME_MS = 500;

/**
 * Lets a stop wait for nobody but those who are being answered. Node closes what is idle once, when the stop begins: not
 * what becomes idle afterwards, nor connections without a request so far, as browsers open them ahead.
 */
export function closePromptly(app: FastifyInstance): void {
  const { server } = app;
  const cameAt = new Map<Socket, number>();
  server.on('connection', (socket) => {
    cameAt.set(socket, performance.now());
    socket.once('close', () => cameAt.delete(socket));
  });
  app.addHook('preClose', async () => {
    const look = setInterval(() => {
      server.closeIdleConnections();
      const latest = performance.now() - JUST_CAME_MS;
      for (const [socket, at] of cameAt) if (socket.bytesRead === 0 && at < latest) socket.destroy();
    }, LOOK_MS);
    const limit = setTimeout(() => server.closeAllConnections(), CLOSE_TIMES.limitMs);
    server.once('close', () => {
      clearInterval(look);
      clearTimeout(limit);
    });
  });
}
