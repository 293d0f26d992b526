import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A whole upload must arrive within this. */
const WHOLE_MS = 10 * 60_000;
/** An upload is given up when nothing of it arrives for this long although the service reads. */
const SILENCE_MS = 30_000;
/** How long the rest of a refused upload is read, so that the sender gets to read the answer. */
const REST_MS = 5_000;
const LOOK_MS = 5_000;

const uploading = new WeakSet<Duplex>();

/** Exempts requests that called `takeTime` from the server's time limit for requests. */
export function installSlowUploads({ server }: FastifyInstance): void {
  const listeners = server.listeners('clientError');
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Node reports a request that takes too long once, and leaves it to listeners to end it.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    for (const listener of listeners) listener.call(server, error, socket);
  });
}

/** Gives a request ten minutes to arrive, as long as bytes keep coming. @returns to be called when the request is refused */
export function takeTime({ raw: request }: FastifyRequest): () => void {
  const { socket } = request;
  uploading.add(socket);
  let [bytes, changedAt] = [socket.bytesRead, performance.now()];
  let endsAt = changedAt + WHOLE_MS;
  const timer = setInterval(() => {
    // The request may have ended before the listeners below were added.
    if (socket.destroyed || request.complete) return stop();
    const now = performance.now();
    // While the service does not read, because the file store is slow, silence is not the sender's fault.
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
