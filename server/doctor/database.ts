import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findCluster } from '../db/embedded-cluster.ts';
import { MigrationError, missingMigrations, OLDEST_POSTGRES } from '../db/migrate.ts';
import { hasOwnSessions, OWN_SESSIONS_MEND } from '../db/own-sessions.ts';
import { boxOf } from '../key-rotation/key-files.ts';
import { findKeyInForce } from '../key-rotation/queries.ts';
import { keyPlace } from '../secret-box.ts';
import { databaseHosts } from './addresses.ts';
import { type Check, fail, ok, type Verdict, warn } from './finding.ts';
import { type DatabaseFacts, databaseClock, databaseFacts, databaseSize } from './queries.ts';
import { keyHere } from './settings.ts';
import { inBytes } from './sizes.ts';

/**
 * Connections of one process with both roles: 16 for requests, 2 intake, 3 outbox, 3 streamed exports, 6 queue, 4 long
 * jobs.
 */
const CONNECTIONS = 34;
/** Beyond this difference, times set by one clock and judged by the other go wrong. */
const CLOCK_LIMIT_MS = 2_000;

/** Whether the embedded database does not exist yet; the doctor leaves its creation to the first start. */
export async function isDatabaseStillToBeMade({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl !== null) return false;
  const { cluster } = await findCluster(dataDir);
  return lstat(join(cluster, 'PG_VERSION')).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** What to do when no database answers. */
export function unreachableMend({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null) return `See ${join(dataDir, 'postgres', 'postgres.log')}.`;
  return 'Check that PostgreSQL runs there, and that DATABASE_URL names its host, port, user, password and database.';
}

export function connectionCheck(config: Config, db: Db): Check {
  return {
    name: 'database',
    mend: unreachableMend(config),
    async examine() {
      const { database } = await databaseFacts(db);
      return ok(`${database} answers ${placeOf(config)}`);
    },
  };
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null) return `(embedded, in ${dataDir})`;
  const hosts = databaseHosts(databaseUrl);
  return hosts.includes('') ? '(DATABASE_URL)' : `at ${hosts.join(', ')}`;
}

/** Checks for a database that answers. */
export function databaseChecks(db: Db): Check[] {
  const about = (name: string, judge: (facts: DatabaseFacts) => Verdict): Check => ({
    name: `database ${name}`,
    mend: 'Look at the log of PostgreSQL.',
    examine: async () => judge(await databaseFacts(db)),
  });
  return [
    about('version', version),
    about('durability', durability),
    about('encoding', encoding),
    about('connections', connections),
    {
      name: 'database clock',
      mend: 'Look at the log of PostgreSQL.',
      async examine() {
        const before = Date.now();
        const theirs = await databaseClock(db);
        return clock(theirs, before, Date.now());
      },
    },
    {
      name: 'database size',
      mend: 'Look at the log of PostgreSQL.',
      examine: async () => ok(inBytes(await databaseSize(db))),
    },
  ];
}

export function sessionsCheck(pool: Pool): Check {
  return {
    name: 'database sessions',
    mend: 'If DATABASE_URL leads to a pooler, let it open more connections: see docs/database.md, Poolers.',
    async examine() {
      if (await hasOwnSessions(pool)) return ok('each has a server process of its own');
      return fail('a pooler shares connections between them', OWN_SESSIONS_MEND);
    },
  };
}

export function schemaCheck(pool: Pool): Check {
  return {
    name: 'database schema',
    mend: 'Run: formstead migrate',
    async examine() {
      try {
        const missing = await missingMigrations(pool);
        if (missing.length === 0) return ok('as this version needs it');
        return fail(`not applied: ${missing.join(', ')}`, 'Run: formstead migrate');
      } catch (error) {
        if (!(error instanceof MigrationError)) throw error;
        return fail(error.message, 'See docs/self-hosting.md, Upgrade, and docs/backup.md.');
      }
    },
  };
}

/** For a database with the current schema: checks that its encrypted values belong to the present key. */
export function keyCheck(config: Config, db: Db): Check {
  const place = keyPlace(config);
  return {
    name: 'database key',
    mend: 'Look at the log of PostgreSQL.',
    async examine() {
      const inForce = await findKeyInForce(db);
      if (inForce === null) return ok('none noted before the first start');
      const key = await keyHere(config);
      if (key !== null && boxOf(key).fingerprint === inForce)
        return ok(`${place} is the one of this database`);
      const mend = `Put the key of this database into ${place}; without it nothing starts. If it is lost, see docs/security.md.`;
      return fail(`${place} is not the key the database was encrypted with`, mend);
    },
  };
}

function version({ version, versionNumber }: DatabaseFacts): Verdict {
  if (versionNumber >= OLDEST_POSTGRES) return ok(`PostgreSQL ${version}`);
  return fail(`PostgreSQL ${version}`, 'Upgrade the server behind DATABASE_URL to PostgreSQL 15 or later.');
}

/** All values of synchronous_commit except `off` wait for this server's own disk. */
function durability({ fsync, synchronousCommit, fullPageWrites }: DatabaseFacts): Verdict {
  const settings = { fsync, synchronous_commit: synchronousCommit, full_page_writes: fullPageWrites };
  const found = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  const off = Object.entries(settings).flatMap(([name, value]) => (value === 'off' ? [name] : []));
  if (off.length === 0) return ok(found.join(', '));
  return fail(
    `${found.join(', ')}: answers that were confirmed can be lost in a crash`,
    `Set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf, the database and the role.`,
  );
}

function encoding({ encoding }: DatabaseFacts): Verdict {
  if (encoding === 'UTF8') return ok('UTF8');
  const mend = 'Create a database with encoding UTF8 and move into it by pg_dump and pg_restore.';
  return fail(`${encoding} cannot hold every character`, mend);
}

function connections({ connections }: DatabaseFacts): Verdict {
  const found = `${connections} allowed, ${CONNECTIONS} needed per process`;
  if (connections >= CONNECTIONS) return ok(found);
  return warn(found, 'Raise max_connections, or the limits of the role and the database.');
}

/** @param theirs the database's clock, read between `before` and `after`, all in milliseconds */
export function clock(theirs: number, before: number, after: number): Verdict {
  const ahead = theirs - Math.min(Math.max(theirs, before), after);
  const found = `${(Math.abs(ahead) / 1000).toFixed(1)} s apart from the clock of this machine`;
  if (Math.abs(ahead) <= CLOCK_LIMIT_MS) return ok(found);
  return warn(found, 'Set both machines by the same time servers (NTP).');
}
