import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Connection, openPool } from '../../server/db/database.ts';
import { startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { migrate } from '../../server/db/migrate.ts';
import { startDebianPostgres } from './debian-postgres.ts';
import { waitForDisk } from './durability.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which every test file makes its own database. */
    postgres: Connection;
  }
}

/** A migrated database, which test files clone within milliseconds. */
export const TEMPLATE_DATABASE = 'formstead_template';

/** One PostgreSQL for the whole run: the embedded 18, or Debian's 15 in the project of that name. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-test-'));
  const server =
    project.name === 'postgres-15' ? await startDebianPostgres(folder) : await startEmbeddedPostgres(folder);
  await waitForDisk(server.connection, false);
  const admin = new pg.Pool({ ...server.connection, database: 'postgres', max: 1 });
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const pool = openPool({ ...server.connection, database: TEMPLATE_DATABASE }, () => {}, { max: 4 });
  await migrate(pool);
  await pool.end();
  project.provide('postgres', server.connection);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
