import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import type pg from 'pg';
import { hasOwnSessions, OWN_SESSIONS_MEND } from './own-sessions.ts';

/** The database cannot be used by this version; the message says why in one line. */
export class MigrationError extends Error {}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url);
/** Names the advisory lock that lets only one migrator work at a time; any fixed number would do. */
export const MIGRATION_LOCK = 4_711_008_151;
/** Stands among the applied migrations while a backup is being put back. As long as it is there, nothing starts on the database. */
export const UNFINISHED_RESTORE = 'restore-unfinished';
/**
 * A statement that waits for a lock on a table holds up all statements that come after it. So a migration waits only a moment,
 * lets the others pass, and tries again, for five minutes.
 */
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_PAUSE_MS = 2_000;
const LOCK_TRIES = 100;
/** SQLSTATE of `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/** As `server_version_num`: 15.0. */
export const OLDEST_POSTGRES = 150_000;

/**
 * Brings the schema up to this version: forward only, one transaction per file, one migrator at a time.
 * @returns the names of the migrations that were applied now.
 * @param pool may open two connections
 * @param tell hears why it takes long
 * @throws MigrationError when the database cannot be used: it is newer than this version or an applied migration was edited.
 */
export async function migrate(pool: pg.Pool, tell: (line: string) => void = () => {}): Promise<string[]> {
  const migrations = await readMigrations();
  await refuseUnfit(pool);
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await lock(client, tell);
    await migrateJobQueue({ pgPool: pool });
    return await applyMissing(client, migrations);
  } finally {
    // Ends the session, and with it the lock and the changed timeout.
    client.release(true);
  }
}

async function lock(client: pg.PoolClient, tell: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.locked) return;
  tell('Another process is migrating or backing up the database; waiting until it has finished …');
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
}

/**
 * The names of the migrations that `migrate` would apply; changes nothing.
 * @throws MigrationError as `migrate` does
 */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  const migrations = await readMigrations();
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  const missing = rows[0]?.exists ? await notYetApplied(pool, migrations) : migrations;
  return missing.map(({ name }) => name);
}

async function applyMissing(client: pg.PoolClient, migrations: Migration[]): Promise<string[]> {
  await createMigrationTable(client);
  const missing = await notYetApplied(client, migrations);
  for (const migration of missing) await applyPatiently(client, migration);
  return missing.map((migration) => migration.name);
}

export async function createMigrationTable(client: pg.ClientBase): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
}

async function notYetApplied(
  database: pg.Pool | pg.PoolClient,
  migrations: Migration[],
): Promise<Migration[]> {
  const { rows } = await database.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  refuseUnknown(applied, migrations);
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function applyPatiently(client: pg.PoolClient, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === LOCK_TRIES)
        throw new MigrationError(
          `The migration "${migration.name}" waited in vain for a lock. End the transaction that holds it (see pg_stat_activity) and start again.`,
        );
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Applies one migration in a transaction of its own, and notes it. */
export async function apply(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

function refuseUnknown(applied: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  if (applied.has(UNFINISHED_RESTORE))
    throw new MigrationError(
      'A backup was being put back here, and that was interrupted. Empty this place and run formstead restore again.',
    );
  for (const [name, checksum] of applied) {
    const expected = known.get(name);
    if (expected === undefined)
      throw new MigrationError(
        `The database was migrated by a newer Formstead (it has "${name}"). Start that version or a later one.`,
      );
    if (expected !== checksum)
      throw new MigrationError(
        `The applied migration "${name}" differs from its file. Restore the released file.`,
      );
  }
}

/**
 * @param pool may open two connections
 * @throws MigrationError when nothing of ours can be kept there
 */
export async function refuseUnfit(pool: pg.Pool): Promise<void> {
  if (!(await hasOwnSessions(pool)))
    throw new MigrationError(
      `DATABASE_URL leads to a pooler that shares connections between sessions. ${OWN_SESSIONS_MEND}`,
    );
  const { rows } = await pool.query<{ version: number; encoding: string; schema: string | null }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_schema() as schema`,
  );
  const { version = 0, encoding = '', schema = null } = rows[0] ?? {};
  if (version < OLDEST_POSTGRES)
    throw new MigrationError(
      'Formstead needs PostgreSQL 15 or later. Upgrade the server behind DATABASE_URL.',
    );
  if (encoding !== 'UTF8')
    throw new MigrationError(
      `The database has the encoding ${encoding}, which cannot hold every character. Create one with: encoding 'UTF8' template template0.`,
    );
  if (schema === null)
    throw new MigrationError(
      'The search_path names no schema that exists and may be used. Create it, or set another one for the user or in DATABASE_URL.',
    );
}

/** The migrations of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
