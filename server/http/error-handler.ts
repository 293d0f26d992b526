import type {
  FastifyContextConfig,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Context } from '../context.ts';
import { databaseProblem } from '../db/constraint-errors.ts';
import {
  bodyTooLarge,
  HttpError,
  invalid,
  NOT_IMPLEMENTED,
  publicFormNotFound,
  unavailable,
  unknownAddress,
} from './errors.ts';
import { createFailureLog } from './failure-log.ts';
import { wantsHtml } from './request/wants-html.ts';
import { guessedScreen } from './response/dashboard-files.ts';
import { COMMON_HEADERS, CROSS_ORIGIN_HEADERS } from './response/security-headers.ts';
import { validationMessages } from './schemas/validation-messages.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers browsers with a page instead of JSON, with the status and headers of the error. */
    failurePage?: (known: HttpError, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
    /** Writes errors as the protocol of the route has them. */
    errorAs?: (known: HttpError) => { status: number; body: object };
  }
}

/** A public address of a form with a longer name than any form has (`PATH_PARAMETER_LIMIT`). */
const OF_LONG_NAMED_FORM = /^\/forms\/[^/?]{256}/;

/** Every answer other than success is made here, so that programs get JSON and nobody learns about internals. */
export function installErrorHandler(app: FastifyInstance, { log }: Context): void {
  const noteFailure = createFailureLog(log);
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    const known = asHttpError(error, request);
    if (known.statusCode >= 500 && known.statusCode !== NOT_IMPLEMENTED) noteFailure(error, request);
    const { failurePage, errorAs } = request.routeOptions.config;
    return failurePage && wantsHtml(request)
      ? failurePage(known, request, reply)
      : answer(known, reply, errorAs);
  });
  app.setNotFoundHandler((request, reply) => {
    const screen = guessedScreen(request);
    if (screen) return reply.header('vary', 'accept').redirect(screen);
    const shorter = withoutTrailingSlash(request);
    return shorter ? reply.redirect(shorter, 301) : answer(missing(app, request), reply);
  });
}

/** The router takes `/open/forms/` for a form without a name: it is the list of forms. */
export function installSlashRedirect(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const shorter = withoutTrailingSlash(request);
    if (shorter && Object.values(request.params as object).includes('')) reply.redirect(shorter, 301);
    else done();
  });
}

/** The address without a slash at its end; null when it has none, or must not be redirected. */
function withoutTrailingSlash({ method, url }: FastifyRequest): string | null {
  // First, because this is asked of every request.
  if (method !== 'GET' && method !== 'HEAD') return null;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  // An address that begins with two slashes, or a backslash that browsers read as one, would lead to another host.
  if (!path.endsWith('/') || /^\/(?:$|[/\\])/.test(path)) return null;
  return path.slice(0, -1) + url.slice(path.length);
}

/** Answers a path that cannot be decoded, or has a longer segment than any route takes; hooks and routes never see it. */
export function answerUnroutable(
  { code }: FastifyError,
  { url }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (code !== 'FST_ERR_MAX_PARAM_LENGTH')
    return answer(new HttpError(400, 'The address is malformed.'), reply.headers(COMMON_HEADERS));
  const isForm = OF_LONG_NAMED_FORM.test(url);
  reply.headers(isForm ? { ...COMMON_HEADERS, ...CROSS_ORIGIN_HEADERS } : COMMON_HEADERS);
  return answer(isForm ? publicFormNotFound() : unknownAddress(), reply);
}

function answer(
  known: HttpError,
  reply: FastifyReply,
  errorAs: FastifyContextConfig['errorAs'] = inJson,
): FastifyReply {
  const { status, body } = errorAs(known);
  return reply.code(status).headers(known.headers).type('application/json; charset=utf-8').send(body);
}

function inJson({ statusCode, message, members }: HttpError) {
  return { status: statusCode, body: { message, ...members } };
}

/** What the caller is told of an error. */
export function asHttpError(error: FastifyError | HttpError, request: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  if (error.validation) return invalid(validationMessages(error.validation));
  if (error.statusCode && error.statusCode < 500)
    return new HttpError(error.statusCode, requestMessage(error, request));
  return fromDatabase(error) ?? new HttpError(500, 'Server Error');
}

/** A message of our own for what the framework refuses, as its messages may repeat parts of the input. */
function requestMessage({ statusCode, code }: FastifyError, { routeOptions }: FastifyRequest): string {
  if (statusCode === 413) return bodyTooLarge(routeOptions.bodyLimit ?? 0).message;
  if (statusCode === 415) {
    const { consumes = ['application/json'] } = routeOptions.schema ?? {};
    return `The content type must be ${consumes.join(' or ')}.`;
  }
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return 'The request body is empty.';
  return 'The request could not be understood.';
}

function fromDatabase(error: Error): HttpError | null {
  switch (databaseProblem(error)) {
    case 'unavailable':
      return unavailable();
    case 'duplicate':
      return new HttpError(409, 'The same thing was created a moment ago.');
    case 'missing-reference':
      return new HttpError(404, 'A resource this request names no longer exists.');
    case 'invalid-value':
      return new HttpError(422, 'The given data was invalid.', { errors: {} });
    default:
      return null;
  }
}

/** 405 where the path exists with another method (RFC 9110, 15.5.6), 404 otherwise. */
function missing(app: FastifyInstance, { method, url }: FastifyRequest): HttpError {
  const path = url.split('?')[0] ?? '/';
  const allowed = METHODS.filter((other) => app.findRoute({ method: other, url: path }) !== null);
  if (allowed.length === 0) return unknownAddress();
  const message = `The ${method} method is not supported here. Supported methods: ${allowed.join(', ')}.`;
  return new HttpError(405, message, {}, { allow: allowed.join(', ') });
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
