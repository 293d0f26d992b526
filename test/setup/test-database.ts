import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Connection } from '../../server/db/database.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export interface TestDatabase {
  connection: Connection;
  drop(): Promise<void>;
}

/** Copies the files of the template. The default, writing all of them to the log as well, takes three times as long. */
const STRATEGY = 'strategy file_copy';

/** A new migrated database, cloned from the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres') as pg.ClientConfig;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(server, (client) =>
    client.query(`create database ${name} template ${TEMPLATE_DATABASE} ${STRATEGY}`),
  );
  return {
    connection: { ...server, database: name } as Connection,
    drop: () => asAdmin(server, (client) => client.query(`drop database ${name} with (force)`)),
  };
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
