import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { keepsItsDigits } from '../../fields/numbers.ts';
import { storageProblem } from '../../fields/storable.ts';
import { HttpError } from './errors.ts';
import { withFirst } from './route-hooks.ts';

/** Text that may be a number, where one can stand, with more digits, or a smaller one, than a double holds. */
const SUSPICIOUS = /[:,[][\t\n\r ]*-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;
const FORBIDDEN_KEY =
  'The request body has a key that is not allowed: __proto__, or a prototype in a constructor.';
/** Content codings that change nothing. */
const PLAIN = ['', 'identity'];

type Done = (error: Error | null, body: unknown) => void;

/** Reads JSON bodies everywhere, and no body that is packed. */
export function installJsonParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(app));
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') return;
    const { body, consumes } = route.schema ?? {};
    if (!consumes && mayBeAbsent(body)) route.preParsing = withFirst(ignoreTypeOfNothing, route.preParsing);
    route.preParsing = withFirst(refusePacked, route.preParsing);
  });
}

/**
 * Reads JSON bodies from their bytes. Decoders put U+FFFD where bytes are no UTF-8, and the submission would not be
 * stored as it was sent, so such a body is refused (RFC 8259, 8.1). A number that loses digits becomes NaN, which the
 * check of the body refuses under its key. Clients that name a type with every request may leave out a body that
 * nobody waits for.
 */
export function jsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request: FastifyRequest, bytes: Buffer, done: Done) => {
    if (bytes.length === 0 && mayBeAbsent(request.routeOptions.schema?.body)) return done(null, undefined);
    if (!isUtf8(bytes)) return done(new HttpError(400, 'The request body is not valid UTF-8.'), undefined);
    const text = jsonText(bytes);
    void parse(request, text, (error, body) => {
      if (error) return done(problemOf(error as FastifyError, text), undefined);
      // What is refused anyway is not read again: a reviver would run out of stack on deep nesting.
      const isDone = !SUSPICIOUS.test(text) || storageProblem(body) !== null;
      done(null, isDone ? body : JSON.parse(text, withoutLosses));
    });
  };
}

/** Where null is taken for a body, none is needed. */
function mayBeAbsent(body: unknown): boolean {
  const { anyOf = [] } = (body ?? {}) as { anyOf?: { type?: string }[] };
  return !body || anyOf.some(({ type }) => type === 'null');
}

/** The parser has one complaint for what is no JSON and for keys that could change what all objects inherit. */
function problemOf(error: FastifyError, text: string): Error {
  if (error.code !== 'FST_ERR_CTP_INVALID_JSON_BODY') return error;
  return new HttpError(400, isJson(text) ? FORBIDDEN_KEY : 'The request body is not valid JSON.');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of a body, without the byte order mark that some clients begin with (RFC 8259, 8.1). */
export function jsonText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** What would have to be unpacked first is not read (RFC 9110, 15.5.16). */
const refusePacked: preParsingHookHandler = (request, _reply, _payload, done) => {
  const { 'content-encoding': named } = request.headers;
  if (named === undefined) return done(null);
  const codings = named.split(',');
  if (codings.every((coding) => PLAIN.includes(coding.trim().toLowerCase()))) return done(null);
  const message = 'The request body must be sent as it is, without a Content-Encoding.';
  done(new HttpError(415, message, {}, { 'accept-encoding': 'identity' }));
};

/** Clients that name the type of a form with every request, as Google Apps Script does, name it of no body too. */
const ignoreTypeOfNothing: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  if (length === '0' && coding === undefined) delete headers['content-type'];
  done(null);
};

/** A reviver that sees how numbers were written (ECMAScript 2026, JSON.parse source text access). */
function withoutLosses(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return keepsItsDigits(context.source, value) ? value : Number.NaN;
}
