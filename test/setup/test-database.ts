import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Connection } from '../../server/db/database.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';
import { until } from './until.ts';

export interface TestDatabase {
  connection: Connection;
  drop(): Promise<void>;
}

/** Copies the files of the template. The default, writing all of them to the log as well, takes three times as long. */
const STRATEGY = 'strategy file_copy';
/** Time for connections that are being closed; a test may have left others open. */
const CLOSING_MS = 2_000;

/** A new migrated database, cloned from the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres') as pg.ClientConfig;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(server, (client) =>
    client.query(`create database ${name} template ${TEMPLATE_DATABASE} ${STRATEGY}`),
  );
  return {
    connection: { ...server, database: name } as Connection,
    drop: () => asAdmin(server, (client) => dropDatabase(client, name)),
  };
}

/** A pool that has ended may still be closing its connections: if one was ended by the server instead, nobody would hear of the error. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const isFree = async () => {
    const sessions = `select from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
    return (await client.query(sessions, [name])).rowCount === 0;
  };
  await until(isFree, { withinMs: CLOSING_MS }).catch(() => {});
  await client.query(`drop database ${name} with (force)`);
}

async function asAdmin(
  server: pg.ClientConfig,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
