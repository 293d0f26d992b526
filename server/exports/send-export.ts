import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCompressed } from '../http/response/send-compressed.ts';
import { type ExportFormat, FORMATS } from './formats.ts';

/** A download that stalls for this long is ended, as it holds a database connection or an open file. */
const STALLED_MS = 60_000;

/** Answers with the file of an export as a download, compressed if the client accepts that. */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, format, slug }: { file: Readable; format: ExportFormat; slug: string },
): FastifyReply {
  const { contentType, isPacked } = FORMATS[format];
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  reply
    .type(contentType)
    .header('content-disposition', `attachment; filename="${slug}-submissions.${format}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Encoding');
  return isPacked ? reply.send(file) : sendCompressed(request, reply, file);
}
