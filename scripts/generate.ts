import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Config, readConfig } from '../server/config.ts';
import { type Connection, openPool } from '../server/db/database.ts';
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts';
import { migrate } from '../server/db/migrate.ts';
import { createContext } from '../server/start/create-context.ts';
import { generatedFiles } from './generated-files.ts';

// Writes docs/openapi.json, dashboard/api/schema.ts and server/db/schema.ts from the code and the migrations. It uses a temporary
// database on the server of DATABASE_URL, or on an embedded one.

const ROOT = new URL('../', import.meta.url);

const folder = await mkdtemp(join(tmpdir(), 'formstead-generate-'));
const config: Config = { ...readConfig(), dataDir: folder, logLevel: 'warn' };
const server = await openServer(config);
try {
  await withScratchDatabase(server.connection, async (connection) => {
    const { context, close } = await createContext(config, connection, () => '/');
    for (const { path, content } of await generatedFiles(context)) {
      await writeFile(new URL(path, ROOT), content);
      console.log(`wrote ${path}`);
    }
    await close();
  });
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function openServer({
  databaseUrl,
  dataDir,
}: Config): Promise<{ connection: Connection; stop(): Promise<void> }> {
  if (databaseUrl === null) return startEmbeddedPostgres(dataDir);
  return { connection: { connectionString: databaseUrl }, stop: async () => {} };
}

async function withScratchDatabase(
  server: Connection,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const name = `formstead_generate_${randomBytes(4).toString('hex')}`;
  await run(server, `create database ${name}`);
  try {
    const connection = connectionTo(server, name);
    const pool = openPool(connection, () => {}, { max: 2 });
    await migrate(pool).finally(() => pool.end());
    await work(connection);
  } finally {
    await run(server, `drop database ${name} with (force)`);
  }
}

async function run(server: Connection, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function connectionTo(server: Connection, database: string): Connection {
  if (!('connectionString' in server)) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = database;
  return { connectionString: url.href };
}
