import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inPlainWords } from '../../server/cli/plain-words.ts';
import { type Connection, openPool } from '../../server/db/database.ts';
import { MigrationError, migrate } from '../../server/db/migrate.ts';
import { waitForDatabase } from '../../server/db/wait-for-database.ts';
import { sessionsCheck } from '../../server/doctor/database.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { type Pooler, startPooler } from './pooler.ts';

const home = useHome({ env: { ROLES: 'http' } });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

async function through(mode: 'session' | 'transaction', { connection }: TestDatabase): Promise<Connection> {
  const server = connection as pg.ClientConfig;
  const pooler: Pooler = await startPooler(mode, server);
  onTestFinished(() => pooler.close());
  return { ...server, host: '127.0.0.1', port: pooler.port } as Connection;
}

function open(connection: Connection, options = {}): pg.Pool {
  const pool = openPool(connection, () => {}, { max: 2, ...options });
  onTestFinished(() => pool.end());
  return pool;
}

describe('through a pooler in session mode', () => {
  test('sessions have the settings that the service asks for, though the pooler takes none', async () => {
    const settings = { enable_seqscan: 'off' };
    const pool = open(await through('session', database), { statement_timeout: 1234, settings });
    const { rows } = await pool.query(
      `select setting from pg_settings where name in ('application_name', 'enable_seqscan', 'jit', 'statement_timeout')
        order by name`,
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['formstead', 'off', 'off', '1234']);
  });

  test('options that it refuses are named at once, with what to do instead', async () => {
    const { user, port, database: name } = (await through('session', database)) as Record<string, string>;
    const url = `postgres://${user}@127.0.0.1:${port}/${name}?options=-c%20search_path%3Dforms`;
    const refused = await waitForDatabase(open({ connectionString: url }), () => {}).catch(inPlainWords);
    expect(String(refused)).toMatch(/unsupported startup parameter: options.+set it for the role/);
  });

  test('the service starts, stores and lists', async () => {
    const form = await home.form();
    const { dataDir } = home.service;
    const connection = await through('session', home.service.database);
    expect(await migrate(open(connection))).toEqual([]);
    expect(await sessionsCheck(open(connection)).examine()).toMatchObject({ status: 'ok' });
    const other = await startService({
      database: { ...home.service.database, connection },
      dataDir,
      env: { ROLES: 'http' },
    });
    onTestFinished(() => other.stop());
    const sent = await other.request('POST', `/forms/${form.slug}/answer`, {
      body: { [TEXT_FIELD_ID]: 'Grace' },
    });
    expect(sent.status, sent.text).toBe(200);
    expect(await home.records(form)).toHaveLength(1);
  });
});

test('a pooler in transaction mode is refused before anything is written, and the doctor says the same', async () => {
  const connection = await through('transaction', database);
  const refused = migrate(open(connection));
  await expect(refused).rejects.toThrow(MigrationError);
  await expect(refused).rejects.toThrow(
    'a pooler that shares connections between sessions. Set its pool_mode',
  );
  expect(await sessionsCheck(open(connection)).examine()).toMatchObject({ status: 'fail' });
});
