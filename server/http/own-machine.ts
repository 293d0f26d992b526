import type { FastifyRequest } from 'fastify';

/**
 * Whether a program of this machine asks for itself. A proxy on this machine names the client it speaks for; whoever
 * comes from loopback and names none is no proxy.
 */
export function isProgramOfThisMachine(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress;
  if (peer === undefined) return false;
  if (peer !== '127.0.0.1' && peer !== '::1' && !peer.startsWith('127.') && !peer.startsWith('::ffff:127.'))
    return false;
  return !namesAnotherClient(request);
}

/** Whether a proxy says for whom it asks, true or not. */
export function namesAnotherClient({ headers }: FastifyRequest): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined
  );
}
