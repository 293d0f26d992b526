import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app-type.ts';
import { HttpError, unavailable } from '../http/errors.ts';

/** Headers that tell who calls and from where, passed on so that limits and the audit log see the caller of the tool. */
const PASSED_ON = [
  'authorization',
  'host',
  'user-agent',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
/** Nobody's address: a caller that has hung up has none, and loopback would have special rights. */
const UNKNOWN_ADDRESS = '0.0.0.0';

interface CallOptions {
  /** As pairs when a key occurs more than once. */
  query?: Record<string, string> | [key: string, value: string][];
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Calls a route of this service with the token of the tool call.
 * @throws HttpError any response of the API other than success
 */
// biome-ignore lint/suspicious/noExplicitAny: what the API answers is described in openapi.json.
export type Api = (method: 'GET' | 'POST' | 'PUT', path: string, options?: CallOptions) => Promise<any>;

/** The routes of this service as for everybody: with the same guard, checks, limits and log. */
export function apiOf(app: App, { headers: sent, raw }: FastifyRequest): Api {
  const own = Object.fromEntries(
    PASSED_ON.flatMap((name) => (sent[name] ? [[name, String(sent[name])]] : [])),
  );
  return async (method, path, { query, body, headers } = {}) => {
    const request = app.inject({
      method,
      url: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: { ...own, ...headers },
      remoteAddress: raw.socket.remoteAddress ?? UNKNOWN_ADDRESS,
      ...(body && { payload: body }),
    });
    // Fails only when the service has begun to stop; errors of routes are answered.
    const { statusCode, payload } = await request.catch(() => Promise.reject(unavailable()));
    const answer = payload === '' ? null : JSON.parse(payload);
    if (statusCode < 400) return answer;
    const { message, ...members } = answer;
    throw new HttpError(statusCode, message, members);
  };
}
