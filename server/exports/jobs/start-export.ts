import { randomBytes } from 'node:crypto';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { holdFormIn } from '../../forms/lock-form.ts';
import { HttpError } from '../../http/errors.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import type { ExportRequest } from '../export-request.ts';
import { insertExportJob } from '../queries.ts';

const JOB_ID_BYTES = 16;
/** Runs of a job in the queue; while an export is unfinished, it is queued again every minute. */
const RUNS_IN_QUEUE = 5;
/** Unfinished exports per form: each may list many submissions, and leaves a file. */
const MAX_UNFINISHED = 20;
const TRY_AGAIN_SECONDS = '60';
const JOB_ID = /^export_[0-9a-f]{32}$/;

/**
 * Puts a large export into the queue.
 * @returns its job id, `export_` and 32 hexadecimal digits
 * @throws HttpError 404 or 409 as `recordExport`, 429 when the form has too many unfinished ones
 */
export async function startExport(
  { db }: Context,
  form: NamedForm,
  request: ExportRequest,
  actor: Actor,
): Promise<string> {
  const { formId, columns, entriesOf, submissionIds, format, bom } = request;
  const jobId = `export_${randomBytes(JOB_ID_BYTES).toString('hex')}`;
  await db.transaction().execute(async (trx) => {
    await recordExport(trx, form, request, { jobId, actor });
    await enqueueExport(trx, jobId);
    const options = { format, bom, submission_ids: submissionIds, entries_of: entriesOf };
    const job = { jobId, formId, userId: actor.userId, columns, options };
    if (!(await insertExportJob(trx, job, MAX_UNFINISHED))) throw tooMany();
  });
  return jobId;
}

function tooMany(): HttpError {
  const message = `This form has ${MAX_UNFINISHED} exports that are not finished. Please wait until one is.`;
  return new HttpError(429, message, {}, { 'retry-after': TRY_AGAIN_SECONDS });
}

/**
 * Records who exports submissions, before the first one is read.
 * @param jobId null for a file that is sent at once
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function recordExport(
  trx: Transaction,
  form: NamedForm,
  { formId, columns, submissionIds, format }: ExportRequest,
  { jobId, actor }: { jobId: string | null; actor: Actor },
): Promise<void> {
  await holdFormIn(trx, form);
  const submissions = submissionIds?.length ?? 'all';
  const details = { columns: columns.length, submissions, format, job_id: jobId };
  await recordEvent(trx, actor, { verb: 'export.created', formId, details });
}

/** Whether the text can be a job id; the database need not be asked for any other. */
export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}

/** Queues the building of an export. However often this is called, it waits in the queue only once. */
export function enqueueExport(db: Db, jobId: string, delaySeconds = 0): Promise<void> {
  const key = `build_export:${jobId}`;
  return enqueue(db, 'build_export', { jobId }, { key, maxAttempts: RUNS_IN_QUEUE, delaySeconds });
}
