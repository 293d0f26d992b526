import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { keepsItsDigits } from '../../../fields/as-text/numbers.ts';
import { storageProblem } from '../../../fields/storable.ts';
import { HttpError } from '../errors.ts';
import { withFirst } from '../route-hooks.ts';

/** May be a number, where JSON has one, with more digits or a larger exponent than a double holds. */
const SUSPICIOUS = /[:,[][\t\n\r ]*-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;
const FORBIDDEN_KEY =
  'The request body has a key that is not allowed: __proto__, or a prototype in a constructor.';
/** Content codings that leave the body as it is. */
const PLAIN = ['', 'identity'];

/** The encoding that a content type of texts names; other types are stored as their bytes are. */
const NAMED_CHARSET = /^\s*(?:application|multipart|text)\/.*;\s*charset\s*=\s*"?([^\s";]{1,40})/i;
/** UTF-8, and what is a part of it. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

type Done = (error: Error | null, body: unknown) => void;

/** Reads JSON bodies on all routes, and refuses compressed bodies and those in other encodings than UTF-8. */
export function installJsonParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(app));
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') return;
    const { body, consumes } = route.schema ?? {};
    if (!consumes && mayBeAbsent(body)) route.preParsing = withFirst(ignoreTypeOfNothing, route.preParsing);
    route.preParsing = withFirst(refuseUnreadable, route.preParsing);
  });
}

/**
 * Reads JSON bodies from their bytes. Bytes that are no UTF-8 are refused (RFC 8259, 8.1): a decoder would replace them by U+FFFD,
 * and the submission would not be stored as it was sent. A number that would lose digits becomes NaN, which the check of the body
 * refuses under its key. Where a route needs no body, an empty one is accepted even with a content type.
 */
export function jsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request: FastifyRequest, bytes: Buffer, done: Done) => {
    if (bytes.length === 0 && mayBeAbsent(request.routeOptions.schema?.body)) return done(null, undefined);
    if (!isUtf8(bytes)) return done(new HttpError(400, 'The request body is not valid UTF-8.'), undefined);
    const text = jsonText(bytes);
    void parse(request, text, (error, body) => {
      if (error) return done(problemOf(error as FastifyError, text), undefined);
      // A body that will be refused is not parsed again: on deep nesting a reviver would run out of stack.
      const isDone = !SUSPICIOUS.test(text) || storageProblem(body) !== null;
      done(null, isDone ? body : JSON.parse(text, withoutLosses));
    });
  };
}

/** A route whose schema accepts null as body needs none. */
function mayBeAbsent(body: unknown): boolean {
  const { anyOf = [] } = (body ?? {}) as { anyOf?: { type?: string }[] };
  return !body || anyOf.some(({ type }) => type === 'null');
}

/** The parser has the same error for invalid JSON and for keys that could change the prototype of all objects. */
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

/** Refuses bodies that would have to be decompressed (RFC 9110, 15.5.16), or are in another encoding than UTF-8. */
const refuseUnreadable: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  const problem =
    packing(headers['content-encoding']) ??
    (hasNoBody(headers) ? null : otherCharset(headers['content-type']));
  if (problem === null) done(null);
  else done(problem);
};

function packing(named: string | undefined): HttpError | null {
  if (named === undefined) return null;
  if (named.split(',').every((coding) => PLAIN.includes(coding.trim().toLowerCase()))) return null;
  const message = 'The request body must be sent as it is, without a Content-Encoding.';
  return new HttpError(415, message, {}, { 'accept-encoding': 'identity' });
}

/** Read as UTF-8, such a body would be stored as something else, or refused without the reason. */
function otherCharset(type: string | undefined): HttpError | null {
  if (!type?.includes(';')) return null;
  const [, charset = 'utf-8'] = NAMED_CHARSET.exec(type) ?? [];
  return UTF_8.test(charset) ? null : new HttpError(415, `The request body must be UTF-8, not ${charset}.`);
}

/** Ignores the content type of a missing body: some clients, such as Google Apps Script, send one with every request. */
const ignoreTypeOfNothing: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  if (hasNoBody(headers)) delete headers['content-type'];
  done(null);
};

function hasNoBody({
  'content-length': length = '0',
  'transfer-encoding': coding,
}: FastifyRequest['headers']): boolean {
  return length === '0' && coding === undefined;
}

/** A reviver that sees how numbers were written (ECMAScript 2026, JSON.parse source text access). */
function withoutLosses(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return keepsItsDigits(context.source, value) ? value : Number.NaN;
}
