import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCompressed } from '../http/send-compressed.ts';
import type { ExportFormat } from './export-request.ts';

/** A download that stalls for this long is ended, as it holds a database connection or an open file. */
const STALLED_MS = 60_000;

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  geojson: 'application/geo+json',
  sav: 'application/x-spss-sav',
  jsonl: 'application/jsonl',
  sqlite: 'application/vnd.sqlite3',
  parquet: 'application/vnd.apache.parquet',
};

/** Formats that are compressed already. */
const PACKED: readonly ExportFormat[] = ['xlsx', 'zip', 'parquet'];

/** Answers with the file of an export as a download, compressed if the client accepts that. */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, format, slug }: { file: Readable; format: ExportFormat; slug: string },
): FastifyReply {
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  reply
    .type(CONTENT_TYPES[format])
    .header('content-disposition', `attachment; filename="${slug}-submissions.${format}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Encoding');
  return PACKED.includes(format) ? reply.send(file) : sendCompressed(request, reply, file);
}
