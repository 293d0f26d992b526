import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { databaseChecks } from '../../server/doctor/database.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const DOCS = join(import.meta.dirname, '../../docs');

test('the doctor asks for as many connections as the docs say, which is their sum', async () => {
  const limits = await readFile(join(DOCS, 'limits.md'), 'utf8');
  const [, total, parts = ''] =
    /^\| Connections to the database \| (\d+) at most: (.+?);/m.exec(limits) ?? [];
  const sum = [...parts.matchAll(/\d+/g)].reduce((together, [part]) => together + Number(part), 0);
  expect(String(sum)).toBe(total);

  const database = await createTestDatabase();
  const { db, close } = openDatabase(database.connection, () => {}, 1);
  try {
    const check = databaseChecks(db).find(({ name }) => name === 'database connections');
    expect((await check?.examine())?.found).toContain(`${total} needed per process`);
  } finally {
    await close();
    await database.drop();
  }
  for (const page of ['scaling.md', 'self-hosting.md'])
    expect(await readFile(join(DOCS, page), 'utf8'), page).toMatch(
      new RegExp(`\\b${total} database connections`),
    );
});
