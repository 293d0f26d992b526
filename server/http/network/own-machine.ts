import type { FastifyRequest } from 'fastify';

/**
 * Whether the request comes from a program on this machine, for itself. A proxy on this machine would name the client that it
 * forwards for.
 */
export function isProgramOfThisMachine(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress;
  if (peer === undefined) return false;
  if (peer !== '127.0.0.1' && peer !== '::1' && !peer.startsWith('127.') && !peer.startsWith('::ffff:127.'))
    return false;
  return !namesAnotherClient(request);
}

/** Whether headers name another client, as a proxy's do. They may be made up. */
export function namesAnotherClient({ headers }: FastifyRequest): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined
  );
}
