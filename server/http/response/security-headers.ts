import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { withFirst } from '../route-hooks.ts';

/** Headers of every answer, unless its route sets others, as pages do with their own policy. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
/** Two years in seconds, as browsers' preload lists ask for (RFC 6797). */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=63072000' };

export const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'idempotent-replayed, precognition-success, retry-after',
};
/**
 * Any request header is allowed: pages add some to all their requests (`X-Requested-With` of a framework, `traceparent` of a tracer),
 * and could not send an answer otherwise. By the standard `*` does not cover `Authorization`, which is ignored here anyway; the names
 * are for browsers that do not know `*`.
 */
const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    '*, content-type, form-password, idempotency-key, precognition, precognition-validate-only',
  'access-control-max-age': '86400',
};
/** Files that come in parts have a protocol of their own: tus 1.0. */
const UPLOAD_HEADERS = {
  ...CROSS_ORIGIN_HEADERS,
  'access-control-expose-headers': 'location, retry-after, tus-resumable, upload-length, upload-offset',
};
const UPLOAD_PREFLIGHT_HEADERS = {
  ...PREFLIGHT_HEADERS,
  'access-control-allow-methods': 'HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    '*, content-type, form-password, tus-resumable, upload-length, upload-metadata, upload-offset',
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,termination',
};

const ANSWERS = { headers: CROSS_ORIGIN_HEADERS, preflight: PREFLIGHT_HEADERS };
const UPLOADS = { headers: UPLOAD_HEADERS, preflight: UPLOAD_PREFLIGHT_HEADERS };
/** The only addresses that pages of other sites may read. They ignore credentials. */
const CROSS_ORIGIN = new Map([
  ['/forms/:form', ANSWERS],
  ['/forms/:form/answer', ANSWERS],
  ['/forms/:form/captcha', ANSWERS],
  ['/forms/:form/files', ANSWERS],
  ['/forms/:form/uploads', UPLOADS],
  ['/forms/:form/uploads/:upload', UPLOADS],
]);

export function commonHeaders({ baseUrl }: Config): Record<string, string> {
  return baseUrl?.startsWith('https:') ? { ...COMMON_HEADERS, ...HTTPS_ONLY } : COMMON_HEADERS;
}

/** Sets security headers on every answer, errors and unknown addresses included. */
export function installSecurityHeaders(app: FastifyInstance, { config }: Context): void {
  const headers = commonHeaders(config);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Lets pages of other sites read the answers that are meant for them, refusals included. */
export function installCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const shared = CROSS_ORIGIN.get(route.url);
    if (!shared) return;
    const addHeaders: onRequestHookHandler = (_request, reply, done) => {
      reply.headers(shared.headers);
      done();
    };
    route.onRequest = withFirst(addHeaders, route.onRequest);
  });
  for (const [path, { preflight }] of CROSS_ORIGIN) {
    app.options(
      path,
      { config: { access: { kind: 'public' } }, schema: { hide: true } },
      async (_request, reply) => reply.code(204).headers(preflight).send(),
    );
  }
}
