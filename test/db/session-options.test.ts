import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { createTestDatabase } from '../setup/test-database.ts';

test('what DATABASE_URL asks of each session stands beside what the service asks, and not in its place', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { host, port, user, database: name } = database.connection as Record<string, string>;
  const url = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${name}`;
  const theirs = '-c search_path=forms -c jit=on';
  const pool = openPool({ connectionString: `${url}?x=1&options=${encodeURIComponent(theirs)}` }, () => {}, {
    max: 1,
    statement_timeout: 0,
    options: '-c enable_seqscan=off',
  });
  const { rows } = await pool.query(
    `select name, setting from pg_settings where name in ('search_path', 'jit', 'enable_seqscan') order by name`,
  );
  await pool.end();
  expect(rows.map(({ setting }) => setting)).toEqual(['off', 'off', 'forms']);
});
