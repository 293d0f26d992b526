import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { withFirst } from './route-hooks.ts';

/** What every answer carries unless its route says otherwise: pages bring a policy of their own. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
/** Two years in seconds, as browsers' preload lists ask for (RFC 6797). */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=63072000' };

/** The only addresses that pages of other sites may read; no credentials count there. */
const CROSS_ORIGIN_PATHS = [
  '/forms/:form',
  '/forms/:form/answer',
  '/forms/:form/captcha',
  '/forms/:form/files',
  '/forms/:form/uploads',
  '/forms/:form/uploads/:upload',
];
export const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'idempotent-replayed, precognition-success, retry-after, location, tus-resumable, upload-length, upload-offset',
};
/**
 * Any header may come along, as what pages add to all their requests (`X-Requested-With` of a framework, `traceparent` of a
 * tracer) would keep them from sending an answer. By the standard `*` leaves out `Authorization`, which counts for nothing here;
 * the names are for browsers that do not know it.
 */
const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    '*, content-type, form-password, idempotency-key, precognition, precognition-validate-only, ' +
    'tus-resumable, upload-length, upload-metadata, upload-offset',
  'access-control-max-age': '86400',
};
/** What can be done with files that come in parts (tus 1.0, OPTIONS). */
const UPLOAD_ABILITIES = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,termination',
};

export function commonHeaders({ baseUrl }: Config): Record<string, string> {
  return baseUrl?.startsWith('https:') ? { ...COMMON_HEADERS, ...HTTPS_ONLY } : COMMON_HEADERS;
}

/** Sets the headers that keep browsers careful with every answer, errors and unknown addresses included. */
export function installSecurityHeaders(app: FastifyInstance, { config }: Context): void {
  const headers = commonHeaders(config);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Lets pages of other sites read what is meant for them, refusals included. */
export function installCrossOrigin(app: FastifyInstance): void {
  const addHeaders: onRequestHookHandler = (_request, reply, done) => {
    reply.headers(CROSS_ORIGIN_HEADERS);
    done();
  };
  app.addHook('onRoute', (route) => {
    if (CROSS_ORIGIN_PATHS.includes(route.url)) route.onRequest = withFirst(addHeaders, route.onRequest);
  });
  for (const path of CROSS_ORIGIN_PATHS) {
    const headers = path.includes('/uploads')
      ? { ...PREFLIGHT_HEADERS, ...UPLOAD_ABILITIES }
      : PREFLIGHT_HEADERS;
    app.options(
      path,
      { config: { access: { kind: 'public' } }, schema: { hide: true } },
      async (_request, reply) => reply.code(204).headers(headers).send(),
    );
  }
}
