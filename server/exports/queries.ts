import { sql } from 'kysely';
import type { Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import { DEFAULT_HOURS } from '../files/file-links.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { fileLinkHours } from '../workspaces/queries.ts';
import type { ColumnsForm, ExportColumn } from './columns/columns.ts';
import type { ExportFormat } from './formats.ts';

interface ExportForm extends ColumnsForm {
  slug: string;
  /** How long links to files are valid by the workspace's policy; null without a policy. */
  linkHours: number | null;
}

/** The request of a job as it is stored beside its columns. */
export interface StoredRequest {
  /** Absent in jobs from before there was a choice, which are CSV. */
  format?: ExportFormat;
  bom: boolean;
  /** null for all submissions of the form. */
  submission_ids: number[] | null;
  /** Id of a field each entry of which has a line; absent in jobs from before there was a choice. */
  entries_of?: string | null;
}

export async function findExportForm(db: Db, formId: number): Promise<ExportForm | null> {
  const form = await db
    .selectFrom('forms')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id')
    .select(['slug', 'properties', 'removed_properties'])
    .select(sql<ColumnsForm['endings'] | null>`forms.presentation -> 'endings'`.as('endings'))
    .select(fileLinkHours().as('hours'))
    .where('forms.id', '=', formId)
    .executeTakeFirst();
  if (!form) return null;
  const properties = [form.properties, form.removed_properties].flat() as unknown as Property[];
  return { slug: form.slug, properties, endings: form.endings ?? [], linkHours: form.hours };
}

/** Whether the form has more submissions than `limit`. Reads no more than needed. */
export async function hasMoreSubmissionsThan(db: Db, formId: number, limit: number): Promise<boolean> {
  const row = await db
    .selectFrom('submissions')
    .select('id')
    .where('form_id', '=', formId)
    .orderBy('id')
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface NewExportJob {
  jobId: string;
  formId: number;
  /** Who makes it; null for none. */
  userId: number | null;
  columns: ExportColumn[];
  options: StoredRequest;
}

/**
 * Takes a lock that lets one new job of the form in at a time, until the transaction ends: let this be its last step.
 * @returns false when the form has as many unfinished ones as it may
 */
export async function insertExportJob(
  trx: Transaction,
  { jobId, formId, userId, columns, options }: NewExportJob,
  maxUnfinished: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports:${formId}`}, 0))`.execute(trx);
  const { numAffectedRows } = await sql`
    insert into export_jobs (job_id, form_id, user_id, columns, options)
    select ${jobId}, ${formId}, ${userId}::bigint, ${JSON.stringify(columns)}::jsonb, ${JSON.stringify(options)}::jsonb
    where (select count(*) from export_jobs where form_id = ${formId} and status in ('queued', 'processing'))
      < ${maxUnfinished}`.execute(trx);
  return numAffectedRows === 1n;
}

/**
 * When the link of a finished job ends: by the policy that it was made under, or sooner by one that is shorter now. A finished job is
 * not updated any more.
 */
const ENDS_AT = sql<Date | null>`case when expires_at is not null then least(expires_at, export_jobs.updated_at
  + make_interval(secs => 3600 * coalesce(${fileLinkHours()}, ${sql.lit(DEFAULT_HOURS)}))) end`;

/** Jobs with the workspace whose policy they follow. */
function exportJobs(db: Db) {
  return db
    .selectFrom('export_jobs')
    .innerJoin('forms', 'forms.id', 'export_jobs.form_id')
    .innerJoin('workspaces', 'workspaces.id', 'forms.workspace_id');
}

/** Finds a job only if it belongs to this form and its file has not expired. */
export async function findExportJob(db: Db, formId: number, jobId: string) {
  const job = await exportJobs(db)
    .selectAll('export_jobs')
    .select(ENDS_AT.as('ends_at'))
    .where('job_id', '=', jobId)
    .where('form_id', '=', formId)
    .where(sql<boolean>`coalesce(${ENDS_AT} > now(), true)`)
    .executeTakeFirst();
  return job ?? null;
}

/** The form was put into the trash afterwards. What members export from there can be fetched. */
const RESTS = sql<boolean>`exists (select from trashed_forms
  where trashed_forms.form_id = export_jobs.form_id and trashed_at >= export_jobs.created_at)`;

/** The file of a link that has not expired and does not rest, and the slug of its form. */
export async function findExportFile(db: Db, tokenHash: Buffer) {
  const file = await exportJobs(db)
    .select(['export_jobs.file_name', 'forms.slug'])
    .where('file_token_hash', '=', tokenHash)
    .where('export_jobs.status', '=', 'completed')
    .where(ENDS_AT, '>', sql<Date>`now()`)
    .where(RESTS, '=', false)
    .executeTakeFirst();
  return file ?? null;
}

/** Deletes jobs whose link has expired, and failed ones after a day. One that somebody deletes at that moment is left to the next turn. */
export async function deleteExpiredExports(db: Db): Promise<void> {
  await sql`
    delete from export_jobs where id in (
      select export_jobs.id from export_jobs join forms on forms.id = form_id join workspaces on workspaces.id = workspace_id
      where ${ENDS_AT} <= now() or (status = 'failed' and export_jobs.updated_at <= now() - interval '24 hours')
      for update of export_jobs skip locked)`.execute(db);
}

/** Ends the links of the exports that somebody made in a workspace; their files are removed in the background. */
export async function deleteExportsBy(trx: Transaction, workspaceId: number, userId: number): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('export_jobs')
    .using('forms')
    .whereRef('forms.id', '=', 'export_jobs.form_id')
    .where('forms.workspace_id', '=', workspaceId)
    .where('export_jobs.user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await enqueue(trx, 'purge_exports', {}, { key: 'purge_exports' });
}

/** Which of these files belong to a job. */
export async function findKnownFiles(db: Db, fileNames: string[]): Promise<Set<string>> {
  if (fileNames.length === 0) return new Set();
  const rows = await db
    .selectFrom('export_jobs')
    .select('file_name')
    .where(sql<boolean>`file_name = any(${fileNames}::text[])`)
    .execute();
  return new Set(rows.flatMap((row) => row.file_name ?? []));
}
