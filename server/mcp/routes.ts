import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignOrigin } from '../access/authenticate.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { asHttpError } from '../http/error-handler.ts';
import { HttpError } from '../http/errors.ts';
import { challenge } from '../oauth/metadata.ts';

/** Messages that may come together. */
const MAX_BATCH = 20;
/** The only version in which they may. Its clients name it when they introduce themselves, and in no header. */
const BATCHING_VERSION = '2025-03-26';
/** JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Assistants by the Model Context Protocol: tools that call the routes of this service with the token they come with. What
 * speaks the protocol is loaded with the first call.
 */
export function registerMcpRoutes(app: App, context: Context): void {
  app.post(
    '/mcp',
    {
      config: { access: { kind: 'token' }, checksOwnBody: true },
      schema: { hide: true },
      // A token is nobody's cookie, but the specification asks for it (Transports, security warning).
      onRequest: async (request) => refuseForeignOrigin(context, request),
      errorHandler: answerRefused(context),
    },
    async (request, reply) => {
      if (Array.isArray(request.body)) {
        const { 'mcp-protocol-version': version = BATCHING_VERSION } = request.headers;
        if (version !== BATCHING_VERSION)
          return refuse(reply, INVALID_REQUEST, 'This version of the protocol takes one message at a time.');
        if (request.body.length > MAX_BATCH)
          return refuse(reply, INVALID_REQUEST, `At most ${MAX_BATCH} messages may come together.`);
      }
      const { createEndpoint } = await import('./endpoint.ts');
      const answer = await createEndpoint(app, context)(request);
      return reply
        .code(answer.status)
        .headers(Object.fromEntries(answer.headers))
        .send(await answer.text());
    },
  );
}

/**
 * What is no JSON is answered in JSON-RPC, and who brings no token is told where to get one. Everything else that is refused before is as in
 * the whole API.
 */
function answerRefused(context: Context) {
  return (error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode, message } = asHttpError(error, request);
    if (statusCode === 401) throw new HttpError(401, message, {}, { 'www-authenticate': challenge(context) });
    if (statusCode === 400) return refuse(reply, PARSE_ERROR, message);
    throw error;
  };
}

function refuse(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.code(400).send({ jsonrpc: '2.0', error: { code, message }, id: null });
}
