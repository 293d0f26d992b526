import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

interface Receiver {
  port: number;
  url: string;
  /** Every accepted connection, in order. */
  sockets: Socket[];
  /** The raw requests, one text per connection. */
  requests: string[];
}

/**
 * A raw TCP server on this machine that lives as long as the test. `onRequest` runs once per request, when its header
 * block has arrived, and may write any bytes.
 */
export async function startReceiver(
  onRequest: (socket: Socket, head: string) => void,
  host = '127.0.0.1',
): Promise<Receiver> {
  const receiver: Receiver = { port: 0, url: '', sockets: [], requests: [] };
  const server = createServer((socket) => {
    const index = receiver.sockets.push(socket) - 1;
    receiver.requests.push('');
    let pending = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      receiver.requests[index] += chunk.toString('latin1');
      pending += chunk.toString('latin1');
      for (let end = requestEnd(pending); end > 0; end = requestEnd(pending)) {
        onRequest(socket, pending.slice(0, end));
        pending = pending.slice(end);
      }
    });
  });
  await listen(server, host);
  onTestFinished(() => {
    for (const socket of receiver.sockets) socket.destroy();
    server.close();
  });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`;
  return receiver;
}

export function startAnswering(answer: string | Buffer): Promise<Receiver> {
  return startReceiver((socket) => socket.write(answer));
}

export async function unusedPort(): Promise<number> {
  const server = createServer();
  await listen(server, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Records every address this process tries to connect to while the test runs; Node announces each before the system call. */
export function recordConnectionAttempts(): string[] {
  const attempts: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address) => attempts.push(address));
  };
  subscribe('net.client.socket', watch);
  onTestFinished(() => {
    unsubscribe('net.client.socket', watch);
  });
  return attempts;
}

async function listen(server: Server, host: string): Promise<void> {
  server.listen(0, host);
  await once(server, 'listening');
}

/** The end of the first request in this text, or 0 while it is incomplete. */
function requestEnd(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : 0;
}
