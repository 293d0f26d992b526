import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** All of an upload has to arrive within this. */
const WHOLE_MS = 10 * 60_000;
/** An upload of which nothing arrives for so long, though it is read, is given up. */
const SILENCE_MS = 30_000;
/** How long the rest of a refused upload is read, so that the sender gets to read the answer. */
const REST_MS = 5_000;
const LOOK_MS = 5_000;

const uploading = new WeakSet<Duplex>();

/** Lets requests that `takeTime` named arrive more slowly than the server's limit for all requests. */
export function installSlowUploads({ server }: FastifyInstance): void {
  const listeners = server.listeners('clientError');
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Node reports a request that takes too long once, and leaves it to the listener what becomes of it.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    for (const listener of listeners) listener.call(server, error, socket);
  });
}

/** Gives a request ten minutes to arrive, as long as something of it does. @returns call it when it is refused */
export function takeTime({ raw: request }: FastifyRequest): () => void {
  const { socket } = request;
  uploading.add(socket);
  let [bytes, changedAt] = [socket.bytesRead, performance.now()];
  let endsAt = changedAt + WHOLE_MS;
  const timer = setInterval(() => {
    // Of what had ended before, no event tells.
    if (socket.destroyed || request.complete) return stop();
    const now = performance.now();
    // While nobody reads, it is no silence of the sender: where the file goes to takes its time.
    const isHeldUp = !request.readableFlowing;
    if (isHeldUp || socket.bytesRead !== bytes) [bytes, changedAt] = [socket.bytesRead, now];
    if (now > endsAt || now > changedAt + SILENCE_MS) socket.destroy();
  }, LOOK_MS).unref();
  const stop = () => {
    clearInterval(timer);
    uploading.delete(socket);
  };
  request.once('end', stop);
  request.once('close', stop);
  return () => {
    endsAt = Math.min(endsAt, performance.now() + REST_MS);
  };
}
