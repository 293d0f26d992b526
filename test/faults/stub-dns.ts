import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const TYPE_A = 1;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

/** The answer to a question about a name; `null` means none at all. */
export type DnsAnswer =
  | { addresses: string[]; delayMs?: number }
  | { failure: 'servfail' | 'nxdomain' }
  | null;

export interface StubDns {
  /** In the form `127.0.0.1:5353`. */
  server: string;
  /** Look-ups by name; each asks for both address families. */
  lookups: Map<string, number>;
  /** Sets the answers from now on: `turn` counts the look-ups of a name from 0. */
  answer(zone: Record<string, (turn: number) => DnsAnswer>): void;
  close(): void;
}

/** A local name server that gives the answers a test wants; each address is sent under its own record type. */
export async function startStubDns(): Promise<StubDns> {
  const socket = createSocket('udp4');
  let zone: Record<string, (turn: number) => DnsAnswer> = {};
  const dns: StubDns = {
    server: '',
    lookups: new Map(),
    answer(next) {
      zone = next;
    },
    close: () => socket.close(),
  };
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const turn = dns.lookups.get(name) ?? 0;
    if (type === TYPE_A) dns.lookups.set(name, turn + 1);
    const answer = zone[name]?.(type === TYPE_A ? turn : Math.max(0, turn - 1)) ?? null;
    if (answer === null) return;
    const delayMs = 'delayMs' in answer ? (answer.delayMs ?? 0) : 0;
    setTimeout(() => {
      try {
        socket.send(encode(query, end, answer, type), peer.port, peer.address);
      } catch {
        // The socket has just been closed.
      }
    }, delayMs);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  dns.server = `127.0.0.1:${socket.address().port}`;
  return dns;
}

function encode(query: Buffer, end: number, answer: NonNullable<DnsAnswer>, type: number): Buffer {
  const failure = 'addresses' in answer ? 0 : answer.failure === 'servfail' ? SERVER_FAILURE : NAME_ERROR;
  const all = 'addresses' in answer ? answer.addresses : [];
  const addresses = all.filter((address) => isIPv4(address) === (type === TYPE_A)).map(bytesOf);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | failure, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  const records = addresses.map((bytes) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function bytesOf(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  // The URL parser writes the last four bytes as two groups and understands all short forms.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [before = [], after = []] = groups.map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
