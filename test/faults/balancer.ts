import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal load balancer: takes the next available server, and never repeats a request that one may have processed. */
export interface Balancer {
  url: string;
  /** The servers that get requests from now on; others get no new ones. */
  use(urls: string[]): void;
  /** Why requests failed after they were passed on. */
  failures: string[];
  close(): Promise<void>;
}

interface Backend {
  url: string;
  agent: Agent;
  /** Set once it answered `Connection: close` or refused a connection. */
  isLeaving: boolean;
}

export async function startBalancer(): Promise<Balancer> {
  let backends: Backend[] = [];
  let turn = 0;
  const failures: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks);
      for (const backend of inTurn()) {
        const answer = await pass(backend, incoming, body);
        if (answer === 'refused') {
          backend.isLeaving = true;
          continue;
        }
        if (answer instanceof Error) {
          failures.push(`${answer.message} (${(answer as NodeJS.ErrnoException).code})`);
          break;
        }
        if (answer.headers.connection === 'close') backend.isLeaving = true;
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        answer.pipe(outgoing);
        return;
      }
      outgoing.writeHead(502).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  /** The servers that are not leaving, starting with the next in turn. */
  function inTurn(): Backend[] {
    turn += 1;
    const rotated = backends.map((_, at) => backends[(at + turn) % backends.length]!);
    return rotated.filter((one) => !one.isLeaving);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    use(urls) {
      const known = new Map(backends.map((backend) => [backend.url, backend]));
      backends = urls.map(
        (url) => known.get(url) ?? { url, agent: new Agent({ keepAlive: true }), isLeaving: false },
      );
    },
    async close() {
      for (const { agent } of backends) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `refused` means that there was no connection, so the server received nothing of the request. */
function pass(
  backend: Backend,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage | Error | 'refused'> {
  return new Promise((resolve) => {
    const { connection: _, ...headers } = incoming.headers;
    const request = httpRequest(backend.url + incoming.url, {
      method: incoming.method ?? 'GET',
      agent: backend.agent,
      headers,
    });
    request.on('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : error),
    );
    request.end(body);
  });
}
