import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A download that takes nothing for so long is given up: it holds a database connection or an open file. */
const STALLED_MS = 60_000;

/** Answers with a CSV file to be saved, compressed when the client takes that. */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  csv: Readable,
  slug: string,
): FastifyReply {
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${slug}-submissions.csv"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(csv);
  // The fastest level: eight times smaller already, and faster than PostgreSQL delivers.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  pipeline(csv, gzip, () => {});
  return reply.header('content-encoding', 'gzip').send(gzip);
}

/** RFC 9110, 12.5.3: named or `*`, and not with a weight of zero. */
function acceptsGzip(header: string | string[] = ''): boolean {
  const weights = new Map<string, number>();
  for (const part of String(header).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
