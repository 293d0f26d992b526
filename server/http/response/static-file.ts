import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from '../request/accepts-encoding.ts';

/** A file that `scripts/build.ts` made, with its compressed forms. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

/** For files whose name changes with their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';
/** Content types by the ending of the name; no other files are served. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function readStaticFile(path: string): StaticFile {
  return {
    type: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    plain: readFileSync(path),
    gzip: readFileSync(`${path}.gz`),
    brotli: readFileSync(`${path}.br`),
  };
}

/** Sends the smallest form of the file that the client accepts. */
export function sendStaticFile(reply: FastifyReply, file: StaticFile, cacheControl: string): FastifyReply {
  const [encoding, bytes] = encoded(file, reply.request);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply
    .headers({ 'cache-control': cacheControl, vary: 'accept-encoding' })
    .type(file.type)
    .send(bytes);
}

function encoded({ plain, gzip, brotli }: StaticFile, request: FastifyRequest): [string | null, Buffer] {
  if (acceptsEncoding(request, 'br')) return ['br', brotli];
  return acceptsEncoding(request, 'gzip') ? ['gzip', gzip] : [null, plain];
}
