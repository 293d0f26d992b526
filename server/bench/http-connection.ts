import { once } from 'node:events';
import { connect } from 'node:net';

/** One persistent HTTP/1.1 connection, one request at a time, with as little work as a load generator can do. */
export interface HttpConnection {
  /** @param request made by `writeRequest` @throws Error when the connection ends before the response */
  send(request: string): Promise<HttpAnswer>;
  /** False once the service has closed it, as it does with idle connections. */
  readonly isOpen: boolean;
  close(): void;
}

interface HttpAnswer {
  status: number;
  /** One character per byte; see `readText`. */
  body: string;
}

/** The slowest expected response is a search that runs into the service's own limit of five seconds. */
const SILENCE_LIMIT_MS = 30_000;
const HEAD_END = '\r\n\r\n';

export async function openConnection(url: string): Promise<HttpConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = '';
  let waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure ??= error;
    waiting?.reject(failure);
    waiting = null;
    socket.destroy();
  }

  socket.setEncoding('latin1');
  socket.setTimeout(SILENCE_LIMIT_MS, () => waiting && fail(new Error('The service does not answer.')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The service closed a connection.')));
  socket.on('data', (chunk: string) => {
    received += chunk;
    const message = takeMessage(received);
    if (message === null) return;
    received = message.rest;
    waiting?.resolve({ status: Number(message.head.slice(9, 12)), body: message.body });
    waiting = null;
  });

  return {
    send(request) {
      return new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting = { resolve, reject };
        socket.write(request);
      });
    },
    get isOpen() {
      return failure === null;
    },
    close: () => socket.destroy(),
  };
}

/** The first complete message among the received bytes. A message without a length has an empty body. */
export function takeMessage(received: string): { head: string; body: string; rest: string } | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = received.slice(0, headEnd);
  const start = headEnd + HEAD_END.length;
  const end = start + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < end) return null;
  return { head, body: received.slice(start, end), rest: received.slice(end) };
}

/** A request as text, to be sent any number of times. */
export function writeRequest(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): string {
  const { host, pathname, search } = new URL(url);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}${HEAD_END}${body ?? ''}`;
}

/** The text of a response. */
export function readText({ body }: HttpAnswer): string {
  return Buffer.from(body, 'latin1').toString('utf8');
}
