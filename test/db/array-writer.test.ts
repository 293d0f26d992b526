import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArrayWriter } from '../../server/db/array-writer.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The elements that PostgreSQL reads from an array of this type; bigints as numbers. */
async function readBack(type: string, parameter: Buffer): Promise<unknown[]> {
  const { rows } = await client.query(`select element from unnest($1::${type}[]) element`, [parameter]);
  return rows.map(({ element }) => element);
}

const writer = new ArrayWriter();
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.array(fc.option(value));

test.each<[string, fc.Arbitrary<unknown[]>, (values: never) => Buffer]>([
  ['bool', fc.array(fc.boolean()), (values) => writer.bool(values)],
  ['int4', fc.array(fc.integer()), (values) => writer.int4(values)],
  ['int8', fc.array(fc.nat(Number.MAX_SAFE_INTEGER)), (values) => writer.int8(values)],
  ['float8', orNull(fc.double({ noNaN: true })), (values) => writer.float8(values)],
  ['text', orNull(text), (values) => writer.text(values)],
  ['bytea', orNull(fc.uint8Array().map((bytes) => Buffer.from(bytes))), (values) => writer.bytea(values)],
])('%s: every array arrives as it is', async (type, arrays, write) => {
  await fc.assert(
    fc.asyncProperty(arrays, async (values) => {
      writer.reset();
      expect(await readBack(type, write(values as never))).toEqual(values);
    }),
    { numRuns: 50 },
  );
});

test('jsonb: texts arrive as what they say', async () => {
  const texts = ['{"a": "ünï\u{1f600}"}', null, '[1, 2.5]', '"text"', 'null'];
  writer.reset();
  const read = await readBack('jsonb', writer.jsonb(texts));
  expect(read).toEqual([{ a: 'ünï\u{1f600}' }, null, [1, 2.5], 'text', null]);
});

test('what was written stays as it was while more comes than there was room for', async () => {
  writer.reset();
  const large = [`${'x'.repeat(20 * 1024 * 1024)}`];
  const [before, middle, after] = [writer.text(['before']), writer.text(large), writer.int8([2 ** 40])];
  expect(await readBack('text', before)).toEqual(['before']);
  expect(await readBack('text', middle)).toEqual(large);
  expect(await readBack('int8', after)).toEqual([2 ** 40]);
  writer.reset();
  expect(await readBack('text', writer.text(['again']))).toEqual(['again']);
});
