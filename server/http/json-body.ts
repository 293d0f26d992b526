import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './errors.ts';

/**
 * Reads JSON bodies from their bytes. Decoders put U+FFFD where bytes are no UTF-8, and the submission would not be
 * stored as it was sent, so such a body is refused (RFC 8259, 8.1).
 */
export function installJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (isUtf8(bytes)) void parse(request, bytes.toString('utf8'), done);
    else done(new HttpError(400, 'The request body is not valid UTF-8.'), undefined);
  });
}
