import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from '../deliveries/self-signed.ts';

/** A receiver that misbehaves in one way, byte by byte. */
export interface TroubledReceiver {
  name: string;
  url: string;
  /** What the log of attempts must show: a status, or one of these words. */
  expected: number | string[];
  /** The highest number of connections open at the same time. */
  mostOpen(): number;
  /** Seconds between two attempts, where the answer asks for a wait. */
  waits?: [least: number, most: number];
  close(): Promise<void>;
}

type Misbehave = (socket: Socket) => void;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const CHUNK = Buffer.alloc(64 * 1024, 'x');
/** A gigabyte of zeros. */
const BOMB_BYTES = 1024 * 1024 * 1024;

/** @param forbidden an address to which no delivery may ever connect */
export async function startTroubledReceivers(forbidden: string): Promise<TroubledReceiver[]> {
  const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
  return Promise.all([
    troubled('answers 500', 500, (socket) => socket.end(`HTTP/1.1 500 Oops\r\n\r\n`)),
    troubled('hangs', ['timeout'], () => {}),
    troubled('drips its headers', ['timeout'], (socket) => drip(socket, `${HEAD}X-Long: `)),
    troubled('drips its body', 200, (socket) => drip(socket, `${HEAD}\r\n`)),
    troubled('floods', 200, (socket) => flood(socket, `${HEAD}\r\n`, CHUNK)),
    troubled('sends a gzip bomb', 200, sendBomb),
    troubled('redirects (307)', 307, (socket) =>
      socket.end(
        `HTTP/1.1 307 Away\r\nConnection: close\r\nLocation: ${forbidden}\r\nContent-Length: 0\r\n\r\n`,
      ),
    ),
    troubled('redirects (302)', 302, (socket) =>
      socket.end(
        `HTTP/1.1 302 Away\r\nConnection: close\r\nLocation: ${forbidden}\r\nRefresh: 0; url=${forbidden}\r\n\r\n`,
      ),
    ),
    troubled('resets', ['connection_reset'], (socket) => socket.resetAndDestroy()),
    troubled('closes without an answer', ['connection_reset'], (socket) => socket.end()),
    troubled('resets within its headers', ['connection_reset'], (socket) => {
      socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy());
    }),
    troubled('promises more than it sends', 200, (socket) =>
      socket.end(`${HEAD}Content-Length: 1000\r\n\r\nabc`),
    ),
    troubled('names two lengths', ['invalid_response'], (socket) =>
      socket.end(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    ),
    troubled('speaks something else', ['invalid_response'], (socket) => socket.end('SSH-2.0-x\r\n')),
    troubled('shows a certificate nobody trusts', ['tls_failed'], () => {}, { tls: true, scheme: 'https' }),
    troubled('speaks plain HTTP where TLS is due', ['tls_failed'], (socket) => socket.end('nonsense\r\n'), {
      scheme: 'https',
    }),
    refusing(),
    deaf(),
    troubled('is gone (410)', 410, (socket) => socket.end(`HTTP/1.1 410 Gone\r\n\r\n`)),
    busy('Retry-After: 120', '120', [120, 125]),
    busy('Retry-After: a date', inTwoMinutes, [100, 125]),
    busy('Retry-After: nonsense', 'soon', [5, 7]),
    busy('Retry-After: ten years', '315360000', [21_600, 21_605]),
    busy('Retry-After: negative', '-120', [5, 7]),
  ]);
}

async function busy(name: string, header: string, waits: [number, number]): Promise<TroubledReceiver> {
  const answer = `HTTP/1.1 429 Later\r\nConnection: close\r\nRetry-After: ${header}\r\nContent-Length: 0\r\n\r\n`;
  return { ...(await troubled(`429, ${name}`, 429, (socket) => socket.end(answer))), waits };
}

/** Misbehaves once per connection, as soon as a request begins to arrive. */
async function troubled(
  name: string,
  expected: number | string[],
  misbehave: Misbehave,
  { tls = false, scheme = 'http' }: { tls?: boolean; scheme?: 'http' | 'https' } = {},
): Promise<TroubledReceiver> {
  const sockets = new Set<Socket>();
  let mostOpen = 0;
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => misbehave(socket));
    socket.resume();
  };
  const server = tls
    ? createTlsServer({ cert: SELF_SIGNED_CERTIFICATE, key: SELF_SIGNED_KEY }, onConnection)
    : createTcpServer(onConnection);
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  return {
    name,
    url: `${scheme}://localhost:${port}/hook`,
    expected,
    mostOpen: () => mostOpen,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function refusing(): Promise<TroubledReceiver> {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  const url = `http://127.0.0.1:${port}/hook`;
  return { name: 'refuses', url, expected: ['connect_failed'], mostOpen: () => 0, close: async () => {} };
}

/** Like a host that drops every packet: its queue of new connections is full, and nothing accepts any. */
async function deaf(): Promise<TroubledReceiver> {
  const script = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  const waiting = Array.from({ length: 8 }, () => connect(Number(String(port)), '127.0.0.1'));
  for (const socket of waiting) socket.on('error', () => {});
  await pause(200);
  return {
    name: 'takes no connection',
    url: `http://127.0.0.1:${port}/hook`,
    expected: ['connect_timeout'],
    mostOpen: () => 0,
    async close() {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}

function drip(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write('x'), 1_000);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, head: string, chunk: Buffer): void {
  socket.write(head);
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

function sendBomb(socket: Socket): void {
  socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
  socket.end(bomb);
}
/** A gzip stream may have several members: sixteen of 64 MiB are a gigabyte. */
const bomb = Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(BOMB_BYTES / 16))));

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}
