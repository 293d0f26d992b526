import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { upload } from '../files/upload.ts';
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
  const pool = openPool(
    { connectionString: `${url}?application_name=one&options=${encodeURIComponent(theirs)}` },
    () => {},
    {
      max: 1,
      statement_timeout: 0,
      settings: { enable_seqscan: 'off' },
    },
  );
  const { rows } = await pool.query(
    `select name, setting from pg_settings where name in ('search_path', 'jit', 'enable_seqscan', 'application_name') order by name`,
  );
  await pool.end();
  expect(rows.map(({ setting }) => setting)).toEqual(['formstead one', 'off', 'off', 'forms']);
});

test('what the database has for its other users changes nothing of what is read and exported', async () => {
  const form = await home.form({
    properties: [
      { id: 'cv', type: 'files', name: 'CV' },
      { id: 'price', type: 'number', name: 'Price' },
      { id: 'note', type: 'text', name: 'Note' },
    ],
  });
  const { reference } = (await upload(home.service, form, 'cv', 'Hello', 'cv.txt')).body;
  const sent = await home.submit(form, { cv: [reference], price: 0.1, note: '\\x41 "b"' });
  expect(sent.status, sent.text).toBe(200);
  const seen = async ({ url, request }: TestService) => {
    const shown = await request('GET', `/open/forms/${form.id}/submissions`, { token: home.ada.token });
    const columns = { created_at: true, cv: true, price: true, note: true };
    const lines = await request('POST', `/open/forms/${form.id}/submissions/export`, {
      token: home.ada.token,
      body: { columns, format: 'jsonl' },
    });
    expect(lines.status, lines.text).toBe(200);
    const [file] = JSON.parse(lines.text).CV;
    const link = new URL(file);
    const content = await (await fetch(url + link.pathname + link.search)).text();
    const { created_at, data } = shown.body.data[0];
    return {
      created_at,
      price: data.price,
      note: data.note,
      lines: lines.text.replaceAll(url, '').replace(/expires=\d+(&issued=\d+)?&signature=\w+/, ''),
      content,
    };
  };
  const before = await seen(home.service);
  expect(before).toMatchObject({ price: 0.1, note: '\\x41 "b"', content: 'Hello' });
  await home.service.context.pool.query(`do $$
    declare one text;
    begin
      foreach one in array array['datestyle = ''German, DMY''', 'bytea_output = escape', 'extra_float_digits = -10',
        'timezone = ''Asia/Kolkata''', 'intervalstyle = sql_standard', 'standard_conforming_strings = off',
        'default_transaction_isolation = serializable']
      loop execute format('alter database %I set ', current_database()) || one; end loop;
    end $$`);
  const { database, dataDir } = home.service;
  const other = await startService({ database, dataDir, env: { ROLES: 'http' } });
  onTestFinished(() => other.stop());
  expect(await seen(other)).toEqual(before);
  const { rows } = await other.context.pool.query('show transaction_isolation');
  expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
});
