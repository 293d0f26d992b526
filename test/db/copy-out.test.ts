import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCopyFrames } from '../../server/db/copy-frames.ts';
import { CopyOut } from '../../server/db/copy-out.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const message = (type: string, content: string) => {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length + 4);
  return Buffer.concat([Buffer.from(type), length, bytes]);
};

test('rows are found however the reads cut through the messages', () => {
  const copy = Buffer.concat([
    message('H', '\0\0\0'),
    message('d', 'first\n'),
    message('N', 'a notice with d\0\0\0\u0009row\n'),
    message('d', ''),
    message('d', '"second, with\na line end"\n'),
    message('S', 'TimeZone\0UTC\0'),
    message('d', 'third\n'),
  ]);
  const end = Buffer.concat([message('c', ''), message('C', 'COPY 4\0'), message('Z', 'I')]);
  const sent = Buffer.concat([copy, end]);
  for (let size = 1; size <= sent.length; size++) {
    let [rows, rowCount, rest] = ['', 0, ''];
    const takeApart = createCopyFrames();
    for (let at = 0; at < sent.length; at += size) {
      const read = Buffer.from(sent.subarray(at, at + size));
      if (rest !== '') rest += read.toString('latin1');
      else {
        const found = takeApart(read);
        rows += read.toString('utf8', 0, found.length);
        rowCount += found.count;
        rest = found.rest?.toString('latin1') ?? '';
      }
    }
    expect([rows, rowCount, rest], `reads of ${size} bytes`).toEqual([
      'first\n"second, with\na line end"\nthird\n',
      4,
      end.toString('latin1'),
    ]);
  }
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client;
}

const ROWS = 'copy (select n, repeat(chr(97 + n % 26), n % 3000) from generate_series(1, 20000) n) to stdout';

test('what is read slowly comes whole, and the connection goes on', async () => {
  const client = await connect();
  const copy = client.query(new CopyOut(ROWS));
  let [length, lineEnds] = [0, 0];
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    length += chunk.length;
    for (const byte of chunk) if (byte === 10) lineEnds++;
    await sleep(1);
  }
  const { rows } = await client.query(
    'select sum(length(n::text) + n % 3000 + 2)::int as length from generate_series(1, 20000) n',
  );
  expect({ length, lineEnds, rowCount: copy.rowCount }).toEqual({
    ...rows[0],
    lineEnds: 20000,
    rowCount: 20000,
  });
  expect(await text(client.query(new CopyOut('copy (select 1 where false) to stdout')))).toBe('');
  await client.end();
});

test('a statement that fails at once or on its way destroys the stream, and the connection goes on', async () => {
  const client = await connect();
  await expect(buffer(client.query(new CopyOut('copy nothing to stdout')))).rejects.toThrow('"nothing"');
  const late =
    'copy (select 1 / (n - 15000), repeat($$x$$, 1000) from generate_series(1, 20000) n) to stdout';
  await expect(buffer(client.query(new CopyOut(late)))).rejects.toThrow('division by zero');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test('given up in the midst it ends with its connection', async () => {
  const client = await connect();
  client.on('error', () => {});
  const copy = client.query(new CopyOut(ROWS));
  for await (const _ of copy) break;
  expect(copy.destroyed).toBe(true);
  await client.end();
});

test('a connection that breaks destroys the stream', async () => {
  const client = await connect();
  client.on('error', () => {});
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const copy = client.query(new CopyOut(ROWS.replace('20000', '2000000')));
  const other = await connect();
  const broken = expect(buffer(copy)).rejects.toThrow();
  await Promise.all([broken, other.query('select pg_terminate_backend($1)', [rows[0].pid])]);
  await other.end();
});
