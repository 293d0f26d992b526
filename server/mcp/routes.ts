import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignOrigin } from '../access/authenticate.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { asHttpError } from '../http/error-handler.ts';
import { HttpError } from '../http/errors.ts';
import { challenge } from '../oauth/metadata.ts';

/** Messages in one batch. */
const MAX_BATCH = 20;
/** The only version with batches. Its clients name it in the handshake, and in no header. */
const BATCHING_VERSION = '2025-03-26';
/** JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Assistants by the Model Context Protocol: tools that call the routes of this service with the caller's token. The code
 * of the protocol is loaded with the first call.
 */
export function registerMcpRoutes(app: App, context: Context): void {
  app.post(
    '/mcp',
    {
      config: { access: { kind: 'token' }, checksOwnBody: true },
      schema: { hide: true },
      // Browsers do not send tokens by themselves, but the specification requires it (Transports, security warning).
      onRequest: async (request) => refuseForeignOrigin(context, request),
      errorHandler: answerRefused(context),
    },
    async (request, reply) => {
      if (Array.isArray(request.body)) {
        const { 'mcp-protocol-version': version = BATCHING_VERSION } = request.headers;
        if (version !== BATCHING_VERSION)
          return refuse(reply, INVALID_REQUEST, 'This version of the protocol takes one message at a time.');
        if (request.body.length > MAX_BATCH)
          return refuse(reply, INVALID_REQUEST, `A batch may hold at most ${MAX_BATCH} messages.`);
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
 * Bodies that are not JSON are answered in JSON-RPC, and callers without a token are told where to get one. All other
 * early refusals are those of the API.
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
