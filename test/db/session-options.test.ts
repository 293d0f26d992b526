import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { useHome } from '../setup/home.ts';
import { startService, type TestService } from '../setup/service.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const home = useHome({ env: { ROLES: 'http' } });

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

test('times are read whatever style the database writes them in', async () => {
  const form = await home.form();
  const read = ({ request }: TestService) =>
    request('GET', `/open/forms/${form.id}`, { token: home.ada.token });
  const { created_at } = (await read(home.service)).body;
  await home.service.context.pool.query(`do $$ begin
    execute format('alter database %I set datestyle = ''German, DMY''', current_database());
  end $$`);
  const { database, dataDir } = home.service;
  const other = await startService({ database, dataDir, env: { ROLES: 'http' } });
  onTestFinished(() => other.stop());
  expect((await read(other)).body).toMatchObject({ created_at });
});
