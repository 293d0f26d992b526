import type pg from 'pg';
import { MIGRATION_LOCK } from '../db/migrate.ts';
import type { BackupHeader } from './format.ts';

interface Table {
  name: string;
  columns: string[];
  /** Tables that its foreign keys refer to, without itself. */
  parents: string[];
}

/**
 * Names of files in the file store, by the table whose rows name them. Files that have not arrived, have expired or are
 * about to be removed are left out.
 */
const FILE_NAMES: Record<string, string> = {
  export_jobs: `select file_name from export_jobs
    where file_name is not null and status = 'completed' and expires_at > now()`,
  uploads: 'select store_name from uploads where received_at is not null and removed_at is null',
};

/** Tables that background work fills again from others, to suit the data and the way this database folds letters. */
const MADE_ANEW = ['search_blocks'];

// The backup ------------------------------------------------------------------------------------------------

/**
 * Begins a transaction in which every statement sees the same moment and no table changes its structure. No migration can
 * start between reading the list of tables and locking them.
 * @returns the tables, each after those it refers to
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<Table[]> {
  await client.query(`set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set bytea_output = 'hex'; set client_encoding = 'UTF8'; set idle_in_transaction_session_timeout = 0`);
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  try {
    const tables = await listTables(client);
    await client.query('begin isolation level repeatable read read only');
    // The snapshot is made by the first statement that reads, not by a lock.
    const names = tables.map(({ name }) => quoted(name)).join(', ');
    if (tables.length > 0) await client.query(`lock table ${names} in access share mode`);
    return inOrder(tables);
  } finally {
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  }
}

async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(select parent.relname::text from pg_constraint join pg_class parent on parent.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as parents
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all ($1)
    order by relname`,
    [MADE_ANEW],
  );
  return rows;
}

/** @throws Error when tables refer to each other in a circle */
function inOrder(tables: Table[]): Table[] {
  const done = new Set<string>();
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, parents }) => !done.has(name) && parents.every((parent) => done.has(parent)),
    );
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const table of next) done.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** The part of the header about the database; the tables are known already. */
export async function describeDatabase(
  client: pg.ClientBase,
): Promise<Pick<BackupHeader, 'taken_at' | 'postgres' | 'migrations' | 'sequences'>> {
  const about = await client.query(
    `select now() as taken_at, current_setting('server_version_num')::int as postgres`,
  );
  const migrations = await client.query('select name, checksum from schema_migrations order by name');
  // Sequences are not transactional: their values are never behind the rows of the snapshot.
  const sequences = await client.query(
    `select sequencename as name, last_value from pg_sequences where schemaname = current_schema() order by 1`,
  );
  const { taken_at, postgres } = about.rows[0] as { taken_at: Date; postgres: number };
  return {
    taken_at: taken_at.toISOString(),
    postgres,
    migrations: migrations.rows,
    sequences: sequences.rows,
  };
}

export function copyOut({ name, columns }: Pick<Table, 'name' | 'columns'>): string {
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`;
}

const JOB_COLUMNS = 'task, payload, run_at, max_attempts, key, priority, queue';

/** Waiting and running background jobs, without those whose attempts are used up. */
export const COPY_JOBS_OUT = `copy (
  select task.identifier, job.payload, job.run_at, job.max_attempts, job.key, job.priority, queue.queue_name
  from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
  where job.attempts < job.max_attempts or job.locked_at is not null
  order by job.id) to stdout`;

const FILE_NAMES_CHUNK = 1_000;

/** The names of all stored files in the rows of the snapshot. */
export async function* storedFileNames(client: pg.ClientBase, tables: Table[]): AsyncGenerator<string> {
  const selects = tables.flatMap(({ name }) => FILE_NAMES[name] ?? []);
  if (selects.length === 0) return;
  await client.query(`declare file_names no scroll cursor for ${selects.join(' union all ')}`);
  for (;;) {
    const { rows } = await client.query<[string]>({
      text: `fetch ${FILE_NAMES_CHUNK} from file_names`,
      rowMode: 'array',
    });
    if (rows.length === 0) return;
    for (const [name] of rows) yield name;
  }
}

export async function endSnapshot(client: pg.ClientBase): Promise<void> {
  await client.query('rollback');
}

// The restore -----------------------------------------------------------------------------------------------

/** Whether the database holds no table, view or sequence at all. */
export async function isDatabaseEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ filled: boolean }>(`
    select exists (
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    ) as filled`);
  return rows[0]?.filled === false;
}

/** Begins the transaction that fills the database, whose tables these migrations have made. */
export async function beginFilling(
  client: pg.ClientBase,
  migrations: { sql: string }[],
  tables: BackupHeader['tables'],
): Promise<void> {
  await client.query('begin');
  for (const { sql } of migrations) await client.query(sql);
  await emptyTables(client, tables);
  await client.query(CREATE_JOBS_TABLE);
}

export async function endFilling(client: pg.ClientBase, sequences: BackupHeader['sequences']): Promise<void> {
  await setSequences(client, sequences);
  await client.query('commit');
}

/** Empties tables that a migration filled: the rows of the backup replace those. */
async function emptyTables(client: pg.ClientBase, tables: BackupHeader['tables']): Promise<void> {
  for (const { name } of tables) {
    if (name === 'schema_migrations') continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists (select from ${quoted(name)}) as filled`,
    );
    if (rows[0]?.filled) await client.query(`truncate ${quoted(name)} cascade`);
  }
}

export function copyIn({ name, columns }: Pick<Table, 'name' | 'columns'>): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;
}

async function setSequences(client: pg.ClientBase, sequences: BackupHeader['sequences']): Promise<void> {
  for (const { name, last_value } of sequences)
    if (last_value !== null)
      await client.query(`select setval($1::regclass, $2)`, [quoted(name), last_value]);
}

const CREATE_JOBS_TABLE = `create temporary table restored_jobs (
  task text, payload json, run_at timestamptz, max_attempts int, key text, priority int, queue text)`;
export const COPY_JOBS_IN = `copy restored_jobs (${JOB_COLUMNS}) from stdin`;

/** Queues the jobs of these tasks with all their attempts ahead. @returns how many there are */
export async function enqueueRestoredJobs(client: pg.ClientBase, tasks: string[]): Promise<number> {
  const { rowCount } = await client.query(
    `select graphile_worker.add_job(task, payload => payload, queue_name => queue, run_at => run_at,
       max_attempts => max_attempts, job_key => key, priority => priority)
     from restored_jobs where task = any($1)`,
    [tasks],
  );
  return rowCount ?? 0;
}

/** The failure recorded for an attempt that was never made. */
export const HELD_BACK = 'restored';

/**
 * Cancels every waiting delivery, and records the reason in the log that its owner reads. Sent again by hand, it goes on
 * as usual.
 * @returns how many
 */
export async function holdDeliveries(client: pg.ClientBase, reason: string): Promise<number> {
  const { rowCount } = await client.query(
    `with held as (
       update deliveries set state = 'cancelled', finished_at = now(), leased_until = null, attempts = attempts + 1
       where state = 'pending'
       returning form_id, id, integration_id, attempts)
     insert into delivery_attempts
       (form_id, delivery_id, attempt, integration_id, started_at, duration_ms, failure, failure_detail)
     select form_id, id, attempts, integration_id, now(), 0, $1, $2 from held`,
    [HELD_BACK, reason],
  );
  return rowCount ?? 0;
}

/**
 * Takes every queued mail to a recipient out of the line, and records the reason for its owner. Queued again, it is sent
 * as usual.
 * @returns how many
 */
export async function holdRecipientMails(client: pg.ClientBase, reason: string): Promise<number> {
  const { rowCount } = await client.query(
    `update recipients set mail_due = null, mail_lease_until = null, mail_problem = $1 where mail_due is not null`,
    [reason],
  );
  return rowCount ?? 0;
}

/** Turns summaries by mail off: their members did not ask the copy for them. */
export async function forgetSummaries(client: pg.ClientBase): Promise<void> {
  await client.query('delete from summary_mails');
}

/**
 * Disconnects all accounts that take payments: the copy would take in, and tell others, what is paid at the original.
 * @returns how many
 */
export async function disconnectPayments(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query('delete from workspace_payment_accounts');
  return rowCount ?? 0;
}

/** Ends all leases: the processes that held them do not run here. */
export async function endLeases(client: pg.ClientBase): Promise<void> {
  await client.query('update deliveries set leased_until = null where leased_until is not null');
  await client.query('update export_jobs set leased_until = null where leased_until is not null');
}

/** Gathers statistics, or the first query plans would know nothing of the rows. */
export async function gatherStatistics(client: pg.ClientBase): Promise<void> {
  await client.query('analyze');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
