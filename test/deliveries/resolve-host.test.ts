import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { resolveHost } from '../../server/outbound/resolve-host.ts';

/** The time limit of a connection, including the look-up of its name. */
const CONNECT_TIMEOUT_MS = 5_000;

const TYPE_A = 1;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

interface Zone {
  [name: string]: { A?: number[][]; AAAA?: number[][]; failure?: number };
}

/** A local name server that answers from a table; for other names it does not answer at all. */
async function startNameServer(zone: Zone): Promise<{ servers: string[]; questions: string[] }> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type === TYPE_A ? 'A' : 'AAAA'}`);
    const entry = zone[name];
    if (entry === undefined) return;
    const addresses = (type === TYPE_A ? entry.A : entry.AAAA) ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (entry.failure ?? 0), 2);
    header.writeUInt16BE(addresses.length, 6);
    header.fill(0, 8);
    const records = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return { servers: [`127.0.0.1:${socket.address().port}`], questions };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const DOCUMENTATION_V6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

test('all addresses of both families come back, IPv4 first, after one question each', async () => {
  const { servers, questions } = await startNameServer({
    'both.test': {
      A: [
        [192, 0, 2, 1],
        [192, 0, 2, 2],
      ],
      AAAA: [DOCUMENTATION_V6],
    },
  });
  const addresses = await resolveHost('both.test', servers);
  expect(addresses.slice(0, 2).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(addresses[2]).toBe('2001:db8::1');
  expect(questions.sort()).toEqual(['both.test A', 'both.test AAAA']);
});

test('one family is enough', async () => {
  const { servers } = await startNameServer({
    'four.test': { A: [[192, 0, 2, 1]] },
    'six.test': { AAAA: [DOCUMENTATION_V6] },
  });
  expect(await resolveHost('four.test', servers)).toEqual(['192.0.2.1']);
  expect(await resolveHost('six.test', servers)).toEqual(['2001:db8::1']);
});

test('a name unknown to DNS may still be known to the system', async () => {
  const { servers } = await startNameServer({ localhost: { failure: NAME_ERROR } });
  const addresses = await resolveHost('localhost', servers);
  expect(addresses.length).toBeGreaterThan(0);
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(addresses));
});

test('names that only the system knows are looked up one after the other, and none is refused for another', async () => {
  const { servers } = await startNameServer({ localhost: { failure: NAME_ERROR } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => resolveHost('localhost', servers)));
  for (const addresses of answers) expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(addresses));
});

test('a failing name server is a failure, not a reason to ask elsewhere', async () => {
  const { servers } = await startNameServer({ localhost: { failure: SERVER_FAILURE } });
  await expect(resolveHost('localhost', servers)).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('a silent name server is given up while the connection still has time', async () => {
  const { servers } = await startNameServer({});
  const connection = pause(CONNECT_TIMEOUT_MS).then(() => 'The connection was given up first.');
  const resolved = Promise.race([resolveHost('silent.test', servers), connection]);
  await expect(resolved).rejects.toMatchObject({ code: 'ETIMEOUT' });
});
