import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from '../request/accepts-encoding.ts';

/** Sends what is made meanwhile, compressed if the client accepts that; the caller has set `Vary`. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, file: Readable): FastifyReply {
  if (!acceptsEncoding(request, 'gzip')) return reply.send(file);
  // The fastest level makes files eight times smaller already, and is faster than PostgreSQL delivers.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  pipeline(file, gzip, () => {});
  return reply.header('content-encoding', 'gzip').send(gzip);
}
