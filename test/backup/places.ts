import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { backupKey } from '../../server/backup/backup-key.ts';
import { makeBackup } from '../../server/backup/make-backup.ts';
import { type RestoreOptions, restore } from '../../server/backup/restore.ts';
import { type Config, readConfig } from '../../server/config.ts';
import type { Connection } from '../../server/db/database.ts';
import { openFileStore } from '../../server/files/file-store.ts';
import type { TestService } from '../setup/service.ts';

/** A place to restore a backup: an empty database and an empty data directory. */
export interface Place {
  config: Config;
  /** Settings of a service that uses it. */
  env: Record<string, string>;
  dataDir: string;
  database: { connection: Connection; drop(): Promise<void> };
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  remove(): Promise<void>;
}

/**
 * @param env more settings, such as those of a bucket
 * @param encoding of the database, if it differs from the server's
 */
export async function anEmptyPlace(env: Record<string, string> = {}, encoding?: string): Promise<Place> {
  const server = inject('postgres') as { host: string; port: number; user: string };
  const name = `place_${randomBytes(8).toString('hex')}`;
  const other = encoding
    ? `encoding ${encoding} lc_collate 'C' lc_ctype 'C' locale_provider libc template template0`
    : '';
  await asAdmin(server, `create database ${name} ${other} strategy file_copy`);
  const dataDir = await mkdtemp(join(tmpdir(), 'formstead-place-'));
  const url = `postgres://${server.user}@${encodeURIComponent(server.host)}:${server.port}/${name}`;
  const settings = { DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'silent', ...env };
  const connection = { ...server, database: name };
  return {
    config: readConfig(settings),
    env: settings,
    dataDir,
    database: { connection, drop: async () => {} },
    async query(text, values = []) {
      const client = new pg.Client(connection);
      await client.connect();
      return client.query(text, values).finally(() => client.end());
    },
    async remove() {
      await asAdmin(server, `drop database ${name} with (force)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function asAdmin(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Makes a backup of a running service. @returns its contents, and the messages meanwhile */
export async function backUp({ context }: TestService, path: string, withKey = true) {
  const lines: string[] = [];
  const { connection, config } = context;
  const source = { files: await openFileStore(config), key: await backupKey(config, withKey) };
  const backup = await makeBackup(connection, source, path, { tell: (line) => void lines.push(line) });
  return { ...backup, lines };
}

const USUAL: RestoreOptions = { sendDeliveries: false, withoutKey: false, keepFiles: false };

export function putBack(place: Place, path: string, options: Partial<RestoreOptions> = {}) {
  return restore(place.config, path, { ...USUAL, ...options }, { tell() {} });
}
