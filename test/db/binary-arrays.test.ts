import { afterAll, beforeAll, expect, test } from 'vitest';
import { boolArray, float8Array, int4Array, int8Array, textArray } from '../../server/db/binary-arrays.ts';
import { openPool } from '../../server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, () => {}, { max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function read(type: string, array: Buffer): Promise<unknown[]> {
  const { rows } = await pool.query(`select unnest($1::${type}[]) as value`, [array]);
  return rows.map(({ value }) => value);
}

test.each([
  ['int4', int4Array, [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), null]],
  ['int8', int8Array, [0, 1, -1, 2 ** 32, -(2 ** 32) - 5, Number.MAX_SAFE_INTEGER, null]],
  ['float8', float8Array, [0, 0.1, -1.5, 1e300, null]],
  ['bool', boolArray, [true, false]],
  ['text', textArray, ['', 'a', 'ü → \u{1F600}', null, '{"b":[]}']],
] as [string, (values: any) => Buffer, unknown[]][])('PostgreSQL reads %s[]', async (type, write, values) => {
  expect(await read(type, write(values))).toEqual(values);
  expect(await read(type, write([]))).toEqual([]);
});

test('half a character becomes the sign for what cannot be read, as everywhere in UTF-8', async () => {
  expect(await read('text', textArray(['\u{1F600}'.slice(0, 1)]))).toEqual(['\u{FFFD}']);
});
