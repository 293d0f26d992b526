import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { HttpError } from '../errors.ts';
import { commonHeaders } from '../response/security-headers.ts';

/** Answers to what Node refuses before there is a request, by error code; everything else gets 400. */
const REFUSALS: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
};

/** Answers malformed requests with the same headers and JSON as other errors, and closes the connection. */
export function answerMalformed({ config }: Context) {
  const headers = { ...commonHeaders(config), 'content-type': 'application/json; charset=utf-8' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, message] = REFUSALS[error.code ?? ''] ?? [
      '400 Bad Request',
      'The request could not be understood.',
    ];
    const body = JSON.stringify({ message });
    const head = `HTTP/1.1 ${status}\r\nconnection: close\r\n${lines.join('')}`;
    if (socket.writable) socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    socket.destroy(error);
  };
}

const HOST = 'host';

/**
 * Refuses a request without a host, or with several, of which a proxy and this service might believe different ones (RFC 9112, 3.2).
 * Node's own check is off, as it only finds missing hosts and answers without a body.
 */
export function installHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders, httpVersion } = request.raw;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
    }
    const isFit = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
    done(isFit ? undefined : new HttpError(400, 'The request has to name one host.'));
  });
}
