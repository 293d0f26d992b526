import { sql } from 'kysely';
import pg from 'pg';
import { CopyOut } from '../db/copy-out.ts';
import { type Connection, type Db, openPool } from '../db/database.ts';

/** Makes an empty database beside the one the URL names. @returns its URL, and a function that drops it */
export async function createScratchDatabase(
  databaseUrl: string,
  name: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const run = async (statement: string) => {
    const pool = openPool({ connectionString: databaseUrl }, () => {}, { max: 1 });
    await pool.query(statement).finally(() => pool.end());
  };
  await run(`create database ${pg.escapeIdentifier(name)}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => run(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  };
}

/**
 * Makes a new server write through all its log files once. Creating each one delays every commit by some 50 ms, until
 * there are as many as `min_wal_size` allows; after that they are reused.
 */
export async function bringLogFilesRound(connection: Connection): Promise<void> {
  await onPool(connection, async (pool) => {
    const { rows } = await pool.query<{ files: number }>(LOG_FILES);
    for (let left = rows[0]?.files ?? 0; left > 0; left--) await pool.query(NEXT_LOG_FILE);
    await pool.query('checkpoint');
  });
}

const LOG_FILES = `
select pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')) as files`;
/** An empty log file would not be left. */
const NEXT_LOG_FILE = `select pg_logical_emit_message(false, 'formstead', ''), pg_switch_wal()`;

/** Settings that decide the cost of a commit. */
export async function findDatabaseSettings(db: Db) {
  const { rows } = await sql<{ version: string; fsync: string; synchronousCommit: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit"`.execute(db);
  return rows[0] ?? { version: 'unknown', fsync: 'unknown', synchronousCommit: 'unknown' };
}

/** The process that serves this connection. */
export async function backendPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

export async function countStored(db: Db, formIds: number[]): Promise<number> {
  const row = await db
    .selectFrom('submissions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('form_id', 'in', formIds)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Counts those of all forms, unless some are named. */
export async function countDeliveries(
  db: Db,
  state: 'pending' | 'delivered',
  formIds?: number[],
): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .$if(formIds !== undefined, (query) => query.where('form_id', 'in', formIds ?? []))
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Empties the outbox. Call it only while no worker runs. */
export async function forgetDeliveries(db: Db): Promise<void> {
  await sql`truncate deliveries, delivery_attempts`.execute(db);
}

/** Queues `count` copies of past deliveries of these forms at once. */
export async function copyDeliveries(
  connection: Connection,
  formIds: number[],
  count: number,
): Promise<void> {
  await onPool(connection, (pool) => pool.query(COPY_DELIVERIES, [formIds, count]));
}

const COPY_DELIVERIES = `
with originals as materialized (
  select *, row_number() over (order by id) as n
  from (select * from deliveries where form_id = any($1::bigint[]) order by id limit 500) first
)
insert into deliveries (form_id, integration_id, submission_id, body)
select form_id, integration_id, submission_id, body
from generate_series(1, $2::int) copy
join originals on originals.n = 1 + copy % (select count(*) from originals)`;

/**
 * Stores `count` submissions at once, spread over almost two years and made of the samples in turn; the middle one has a
 * word in its field `source` that no other has.
 * @returns the id of the middle one
 */
export async function seedSubmissions(
  connection: Connection,
  formId: number,
  samples: unknown[],
  { rows, rareWord }: { rows: number; rareWord: string },
): Promise<number> {
  return onPool(connection, async (pool) => {
    await pool.query(SEED, [formId, JSON.stringify(samples), samples.length, rows, rareWord]);
    await pool.query(COUNT_SEED, [formId, rows]);
    await pool.query(SETTLE);
    const found = await pool.query<{ id: number }>(FIND_SEED, [formId, rareWord]);
    return found.rows[0]?.id ?? 0;
  });
}

/** Runs long statements on one separate connection, without the usual time limit. */
async function onPool<Result>(
  connection: Connection,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(connection, () => {}, { max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const SEED = `
insert into submissions (form_id, public_id, status, created_at, updated_at, data)
select $1, gen_random_uuid(), 'completed', moment, moment,
  (samples.list -> ((n % $3::int)::int))
    || jsonb_build_object('source', case when n = $4::int / 2 then $5::text else 'row ' || n end)
from (select $2::jsonb as list) samples, generate_series(1, $4::int) n,
  lateral (select now() - interval '700 days' * (1 - n::float8 / $4::int) as moment) at`;

const COUNT_SEED = 'update form_counters set completed_count = completed_count + $2 where form_id = $1';
/** The database would do this itself within a minute; done now, no figure depends on when. */
const SETTLE = 'vacuum (analyze) submissions';
const FIND_SEED = `select id from submissions where form_id = $1 and data ->> 'source' = $2`;

/** Reads the submissions of a form as PostgreSQL writes them, and discards them. @returns seconds and bytes */
export async function copyOut(
  connection: Connection,
  formId: number,
): Promise<{ seconds: number; bytes: number }> {
  const pool = openPool(connection, () => {}, { max: 1 });
  const client = await pool.connect();
  try {
    const startedAt = performance.now();
    let bytes = 0;
    const copy = client.query(
      new CopyOut(`copy (select * from submissions where form_id = ${Number(formId)}) to stdout`),
    );
    for await (const chunk of copy) bytes += (chunk as Buffer).length;
    return { seconds: (performance.now() - startedAt) / 1000, bytes };
  } finally {
    client.release();
    await pool.end();
  }
}
