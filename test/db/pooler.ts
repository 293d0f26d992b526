import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type pg from 'pg';

/** As PgBouncer by default: it knows these, and refuses a connection that asks for anything else. */
const KNOWN_PARAMETERS = ['user', 'database', 'application_name', 'client_encoding'];
const SIGNED_IN = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

export interface Pooler {
  port: number;
  close(): Promise<void>;
}

/**
 * Stands in front of a PostgreSQL that asks for no password. In transaction mode a client has a connection to it for a transaction
 * at a time; connections that are free are shared by all.
 */
export async function startPooler(mode: 'session' | 'transaction', server: pg.ClientConfig): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const free: Socket[] = [];
  const pooler: Server = createServer((client) => {
    follow(client);
    client.once('data', (startup: Buffer) => {
      const unknown = parametersOf(startup).find((name) => !KNOWN_PARAMETERS.includes(name));
      if (unknown !== undefined) client.end(refusal(`unsupported startup parameter: ${unknown}`));
      else if (mode === 'session') pass(client, startup);
      else share(client, startup);
    });
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');

  function follow(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }

  function open(): Socket {
    const socket = connect(`${server.host}/.s.PGSQL.${server.port}`);
    follow(socket);
    return socket;
  }

  function pass(client: Socket, startup: Buffer): void {
    const backend = open();
    backend.write(startup);
    client.pipe(backend).pipe(client);
  }

  function share(client: Socket, startup: Buffer): void {
    let backend: Socket | null = null;
    client.write(SIGNED_IN);
    client.on('data', async (request: Buffer) => {
      client.pause();
      backend ??= free.pop() ?? (await signedIn(startup));
      const lent = backend;
      lent.removeAllListeners('data').on('data', (answer: Buffer) => {
        client.write(answer);
        if (!endsTransaction(answer) || backend !== lent) return;
        backend = null;
        free.push(lent);
      });
      lent.write(request);
      client.resume();
    });
  }

  async function signedIn(startup: Buffer): Promise<Socket> {
    const backend = open();
    backend.write(startup);
    for (;;) {
      const [answer] = await once(backend, 'data');
      if (endsTransaction(answer)) return backend;
    }
  }

  return {
    port: (pooler.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      pooler.close();
      await once(pooler, 'close');
    },
  };
}

/** The names in the first message of a client: after its length and version, pairs that end with a zero each. */
function parametersOf(startup: Buffer): string[] {
  const parts = startup.subarray(8).toString().split('\0');
  return parts.filter((part, index) => index % 2 === 0 && part !== '');
}

/** The last message of an answer says whether a transaction is open: type, length of 5, state. */
function endsTransaction(answer: Buffer): boolean {
  return answer.at(-6) === READY && answer.at(-1) === IDLE;
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
