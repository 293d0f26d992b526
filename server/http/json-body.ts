import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { keepsItsDigits } from '../../fields/numbers.ts';
import { storageProblem } from '../../fields/storable.ts';
import { HttpError } from './errors.ts';

/** Text that may be a number, where one can stand, with more digits, or a smaller one, than a double holds. */
const SUSPICIOUS = /[:,[][\t\n\r ]*-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;

/**
 * Reads JSON bodies from their bytes. Decoders put U+FFFD where bytes are no UTF-8, and the submission would not be
 * stored as it was sent, so such a body is refused (RFC 8259, 8.1). A number that loses digits becomes NaN, which the
 * check of the body refuses under its key.
 */
export function installJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (!isUtf8(bytes)) return done(new HttpError(400, 'The request body is not valid UTF-8.'), undefined);
    const text = bytes.toString('utf8');
    void parse(request, text, (error, body) => {
      // What is refused anyway is not read again: a reviver would run out of stack on deep nesting.
      const isDone = error !== null || !SUSPICIOUS.test(text) || storageProblem(body) !== null;
      done(error, isDone ? body : JSON.parse(text.replace(/^\ufeff/, ''), withoutLosses));
    });
  });
}

/** A reviver that sees how numbers were written (ECMAScript 2026, JSON.parse source text access). */
function withoutLosses(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return keepsItsDigits(context.source, value) ? value : Number.NaN;
}
