import { sql } from 'kysely';
import { HELD_BACK } from '../backup/queries.ts';
import type { Db } from '../db/database.ts';

/** Facts about the server and the session, which include settings of the database and the role. */
export interface DatabaseFacts {
  version: string;
  /** 180004 for 18.4 */
  versionNumber: number;
  database: string;
  encoding: string;
  fsync: string;
  synchronousCommit: string;
  fullPageWrites: string;
  /** Most connections that this role can have to this database. */
  connections: number;
}

export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      current_database() as database,
      current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('full_page_writes') as "fullPageWrites",
      -- -1 means no limit; reserved_connections is of PostgreSQL 16
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        nullif(datconnlimit, -1), nullif(rolconnlimit, -1)) as connections
    from pg_database, pg_roles
    where datname = current_database() and rolname = current_user`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the database says nothing of itself');
  return facts;
}

/** The clock of the database server, in milliseconds since 1970. */
export async function databaseClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  return rows[0]?.now ?? Number.NaN;
}

/** Bytes on the disk of the database server, indexes included. */
export async function databaseSize(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Addresses of accounts and open invites that have letters beyond ASCII. */
export async function listUnusualAddresses(db: Db): Promise<{ email: string; isInvite: boolean }[]> {
  const { rows } = await sql<{ email: string; isInvite: boolean }>`
    select email, false as "isInvite" from users where octet_length(email) > length(email)
    union all
    select email, true from workspace_invites where status = 'pending' and octet_length(email) > length(email)
    order by 2, 1`.execute(db);
  return rows;
}

/** Integrations that the service itself made inactive. */
export async function countSurrendered(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from integrations where status = 'inactive' and inactive_reason is not null`.execute(db);
  return rows[0]?.count ?? 0;
}

interface JobCounts {
  task: string;
  /** All attempts failed: never tried again. */
  dead: number;
  /** The last attempt failed, another one follows. */
  failing: number;
  /** Due for longer than the given time, and not begun. */
  late: number;
}

/** Background jobs with problems, by task. */
export async function countTroubledJobs(db: Db, lateSeconds: number): Promise<JobCounts[]> {
  const { rows } = await sql<JobCounts>`
    with judged as (
      select task_identifier as task,
        attempts >= max_attempts and locked_at is null as dead,
        attempts < max_attempts and last_error is not null as failing,
        attempts < max_attempts and locked_at is null
          and run_at < now() - make_interval(secs => ${lateSeconds}) as late
      from graphile_worker.jobs
    )
    select task, count(*) filter (where dead) as dead, count(*) filter (where failing) as failing,
      count(*) filter (where late) as late
    from judged where dead or failing or late
    group by task order by task`.execute(db);
  return rows;
}

/** Exports requested or begun longer ago than this, on which no process works. */
export async function countStuckExports(db: Db, stuckSeconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from export_jobs
    where status in ('queued', 'processing')
      and coalesce(leased_until, created_at) < now() - make_interval(secs => ${stuckSeconds})`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface RecentAttempts {
  made: number;
  /** Attempts that got any answer. */
  answered: number;
  /** The most frequent reason of the others; null without any. */
  failure: string | null;
}

/** Delivery attempts of the last day, without those that were refused here. */
export async function recentAttempts(db: Db): Promise<RecentAttempts> {
  const { rows } = await sql<RecentAttempts>`
    select count(*) as made, count(status_code) as answered, mode() within group (order by failure) as failure
    from delivery_attempts
    where started_at > now() - interval '1 day'
      and (failure is null or failure not in ('blocked_address', 'unreadable_secret', ${HELD_BACK}))`.execute(
    db,
  );
  return rows[0] ?? { made: 0, answered: 0, failure: null };
}
