import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Transaction } from '../../db/database.ts';
import { countSubmissions } from '../../submissions/queries.ts';
import { fileLinkHours } from '../../workspaces/queries.ts';
import type { ExportColumn } from '../columns/columns.ts';
import type { StoredRequest } from '../queries.ts';

/** A job that this worker holds the lease of. */
export interface ClaimedExport extends Required<StoredRequest> {
  jobId: string;
  formId: number;
  workspaceId: number;
  columns: ExportColumn[];
  /** File of this attempt; no other attempt uses this name. */
  fileName: string;
  /** File that an earlier attempt may have left. */
  previousFileName: string | null;
  /** Submissions to expect; more may arrive meanwhile. */
  total: number;
  attempts: number;
  /** How long the link will be valid by the workspace's policy; null without a policy. */
  linkHours: number | null;
}

/** After its worker has been silent for this long, a job is taken over: within 50 s, as every worker looks every 15 s. */
const LEASE_SECONDS = 30;
const LEASE_END = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;
/** No worker holds the job. */
const IS_FREE = sql<boolean>`(leased_until is null or leased_until < now())`;
/** Further exports of a workspace wait in the queue. */
const CONCURRENT_EXPORTS_PER_WORKSPACE = 2;
/** In the whole installation: archives take long, and other background work has to go on. */
const CONCURRENT_ARCHIVES = 1;

/**
 * Begins a job, or takes it over from a worker that no longer renews its lease.
 * @param attemptName the name of its file, without the ending of its format
 * @returns null when it is finished, gone, held by another worker, or enough exports are under way
 */
export async function claimExport(
  trx: Transaction,
  jobId: string,
  attemptName: string,
): Promise<ClaimedExport | null> {
  const job = await trx
    .selectFrom('export_jobs')
    .innerJoin('forms', 'forms.id', 'export_jobs.form_id')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .select(['export_jobs.form_id', 'forms.workspace_id', 'columns', 'options', 'file_name', 'attempts'])
    .select(fileLinkHours().as('hours'))
    .where('job_id', '=', jobId)
    // Lets in one claim per workspace at a time, so that the count below is right.
    .forNoKeyUpdate('workspaces')
    .executeTakeFirst();
  if (!job) return null;
  const { format = 'csv', submission_ids: listed } = job.options as unknown as StoredRequest;
  if (format === 'zip') await sql`select pg_advisory_xact_lock(hashtextextended('archives', 0))`.execute(trx);
  await waitForChanges(trx, job.form_id);
  const fileName = `${attemptName}.${format}`;
  const everything = { status: 'all', search: undefined } as const;
  const total = listed?.length ?? (await countSubmissions(trx, job.form_id, everything));
  const claimed = await trx
    .updateTable('export_jobs')
    .set({
      status: 'processing',
      file_name: fileName,
      attempts: sql`attempts + 1`,
      total_submissions: total,
      processed_submissions: sql`coalesce(processed_submissions, 0)`,
      leased_until: LEASE_END,
      updated_at: sql`now()`,
    })
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'processing'])
    .where(IS_FREE)
    .where(exportsUnderWay(job.workspace_id), '<', CONCURRENT_EXPORTS_PER_WORKSPACE)
    .$if(format === 'zip', (one) => one.where(archivesUnderWay(), '<', CONCURRENT_ARCHIVES))
    .returning('options')
    .executeTakeFirst();
  if (!claimed) return null;
  const options = claimed.options as unknown as StoredRequest;
  return {
    ...options,
    format,
    entries_of: options.entries_of ?? null,
    jobId,
    formId: job.form_id,
    workspaceId: job.workspace_id,
    columns: job.columns as unknown as ExportColumn[],
    fileName,
    previousFileName: job.file_name,
    total,
    attempts: job.attempts + 1,
    linkHours: job.hours,
  };
}

/**
 * Waits for a change of the form's submissions that is under way. An erasure deletes the exports that have begun: one that began meanwhile
 * would escape it, and still read what is erased. The trash gives submissions new ids, also in the lists of waiting exports.
 */
async function waitForChanges(trx: Transaction, formId: number): Promise<void> {
  await sql`select from form_counters where form_id = ${formId} for share`.execute(trx);
}

function exportsUnderWay(workspaceId: number) {
  return sql<number>`(select count(*) from export_jobs other join forms on forms.id = other.form_id
    where forms.workspace_id = ${workspaceId} and other.status = 'processing' and other.leased_until >= now())`;
}

/** To be counted under a lock that lets in one claim of an archive at a time. */
function archivesUnderWay() {
  return sql<number>`(select count(*) from export_jobs other
    where other.options->>'format' = 'zip' and other.status = 'processing' and other.leased_until >= now())`;
}

/** The number of lines of an export of entries. @param pool connections without statement timeout */
export async function countEntries(
  pool: pg.Pool,
  { formId, submissionIds, entriesOf }: { formId: number; submissionIds: number[] | null; entriesOf: string },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select coalesce(sum(jsonb_array_length(data->$3)), 0)::float8 as count from submissions
     where form_id = $1 and ($2::bigint[] is null or id = any($2)) and jsonb_typeof(data->$3) = 'array'`,
    [formId, submissionIds, entriesOf],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Renews the lease and stores the progress, which never goes back.
 * @returns false when the job no longer belongs to this attempt: it was taken over, or deleted with its form
 */
export async function reportProgress(
  db: Db,
  { jobId, fileName }: ClaimedExport,
  rows: number,
  progress: number,
): Promise<boolean> {
  const result = await stillOurs(db, jobId, fileName)
    .set({
      progress: sql`greatest(progress, ${progress}::int)`,
      processed_submissions: sql`greatest(processed_submissions, ${rows}::bigint)`,
      total_submissions: sql`greatest(total_submissions, ${rows}::bigint)`,
      leased_until: LEASE_END,
      updated_at: sql`now()`,
    })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

interface FinishedFile {
  rows: number;
  tokenEncrypted: Buffer;
  tokenHash: Buffer;
  /** How long the link is valid. */
  hours: number;
}

/** @returns false when the job no longer belongs to this attempt */
export async function completeExport(
  db: Db,
  { jobId, fileName }: ClaimedExport,
  file: FinishedFile,
): Promise<boolean> {
  const result = await stillOurs(db, jobId, fileName)
    .set({
      status: 'completed',
      progress: 100,
      processed_submissions: file.rows,
      total_submissions: file.rows,
      file_token_encrypted: file.tokenEncrypted,
      file_token_hash: file.tokenHash,
      expires_at: sql`now() + make_interval(secs => ${file.hours * 3600})`,
      leased_until: null,
      updated_at: sql`now()`,
    })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function failExport(db: Db, { jobId, fileName }: ClaimedExport, message: string): Promise<void> {
  await stillOurs(db, jobId, fileName)
    .set({
      status: 'failed',
      error_message: message,
      file_name: null,
      leased_until: null,
      updated_at: sql`now()`,
    })
    .execute();
}

/** Gives an unfinished job back, so that another worker can take it at once. */
export async function releaseExport(
  db: Db,
  { jobId, fileName }: ClaimedExport,
  { countsAttempt }: { countsAttempt: boolean },
): Promise<void> {
  await stillOurs(db, jobId, fileName)
    .set({ leased_until: null, attempts: countsAttempt ? sql`attempts` : sql`attempts - 1` })
    .execute();
}

function stillOurs(db: Db, jobId: string, fileName: string) {
  return db
    .updateTable('export_jobs')
    .where('job_id', '=', jobId)
    .where('file_name', '=', fileName)
    .where('status', '=', 'processing');
}

/** Unfinished jobs that no worker holds, the oldest first. */
export async function findAbandonedExports(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('export_jobs')
    .select('job_id')
    .where('status', 'in', ['queued', 'processing'])
    .where(IS_FREE)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.job_id);
}

/** The queued jobs whose turn it is: the workspace's first one that is no archive, and the installation's first archive. */
export async function findNextExports(db: Db, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ job_id: string }>`
    (select job_id from export_jobs join forms on forms.id = export_jobs.form_id
      where forms.workspace_id = ${workspaceId} and status = 'queued' and options->>'format' is distinct from 'zip'
      order by export_jobs.id limit 1)
    union all
    (select job_id from export_jobs where status = 'queued' and options->>'format' = 'zip' order by id limit 1)`.execute(
    db,
  );
  return rows.map((row) => row.job_id);
}
