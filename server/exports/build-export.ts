import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import { databaseProblem } from '../db/constraint-errors.ts';
import { createFileLinks, linkHours, linkSeconds, linkSource } from '../files/file-links.ts';
import { openArchive } from './archive.ts';
import {
  type ClaimedExport,
  claimExport,
  completeExport,
  failExport,
  findAbandonedExports,
  findNextExport,
  releaseExport,
  reportProgress,
} from './build-queries.ts';
import { failureMessage } from './failure-message.ts';
import { type OpenExport, openExport } from './open-export.ts';
import { enqueueExport } from './start-export.ts';

/** Folder of the file store. */
export const EXPORT_FOLDER = 'exports';
/** A job is taken over this long after its worker went silent; checked every minute, that makes 90 s at worst. */
const LEASE_SECONDS = 30;
const LEASE_RENEWAL_MS = 10_000;
const PROGRESS_INTERVAL_MS = 500;
/** Workers that died on a job, or lost their database, before it is given up. */
const MAX_CLAIMS = 5;
const TOKEN_BYTES = 32;

/**
 * Builds the file of an export job. Does nothing when the job is finished, gone, in the hands of another worker, or
 * must wait for others of its workspace.
 * @param pool connections without statement timeout
 * @param stopping ends the work; the job is given back and starts again with the next worker
 */
export async function buildExport(
  context: Context,
  pool: pg.Pool,
  jobId: string,
  stopping: AbortSignal,
): Promise<void> {
  const attemptName = `${EXPORT_FOLDER}/${jobId}-${randomBytes(8).toString('hex')}`;
  const claim = await context.db
    .transaction()
    .execute((trx) => claimExport(trx, jobId, attemptName, LEASE_SECONDS));
  if (!claim) return;
  if (claim.previousFileName !== null) await discard(context, claim.previousFileName);
  if (claim.attempts > MAX_CLAIMS) await fail(context, claim, 'The export was interrupted too often.');
  else await attempt(context, pool, claim, stopping);
  await startNext(context, claim.workspaceId);
}

/** Puts unfinished jobs that nobody works on back into the queue. */
export async function resumeExports({ db }: Context): Promise<void> {
  for (const jobId of await findAbandonedExports(db)) await enqueueExport(db, jobId);
}

async function attempt(
  context: Context,
  pool: pg.Pool,
  claim: ClaimedExport,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  try {
    const rows = await writeFile(context, pool, claim, stopping);
    if (await complete(context, claim, rows)) context.metrics.exportFinished('completed');
    else await discard(context, claim.fileName);
  } catch (error) {
    if (error instanceof LostExport) return;
    if (stopping.aborted) return releaseExport(db, claim, false);
    if (databaseProblem(error) === 'unavailable') {
      // Should this fail too, the lease passes by itself.
      await releaseExport(db, claim, true).catch(() => {});
      throw error;
    }
    log.error({ err: error, jobId: claim.jobId }, 'export failed');
    await fail(context, claim, failureMessage(error));
  }
}

/** Whatever cannot be removed now is found by the next purge. */
async function discard({ files, log }: Context, fileName: string): Promise<void> {
  await files.remove(fileName).catch((err) => log.warn({ err }, 'a file of an export was left behind'));
}

async function fail(context: Context, claim: ClaimedExport, message: string): Promise<void> {
  await failExport(context.db, claim, message);
  context.metrics.exportFinished('failed');
}

/** The job was deleted with its form, or another worker has taken it over. */
class LostExport extends Error {}

/**
 * What fails here leaves no file. One that is written stays, also when nobody hears that its job is completed: it may
 * be. Else the next attempt removes it, or the next purge.
 * @returns the number of submissions written
 */
async function writeFile(
  context: Context,
  pool: pg.Pool,
  claim: ClaimedExport,
  stopping: AbortSignal,
): Promise<number> {
  const { db, files } = context;
  const { file, rowCount, share } = await openFile(context, pool, claim);
  const written = new AbortController();
  const stop = () => file.destroy(new Error('The worker stops.'));
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  const lease = keepLease();
  try {
    await files.write(claim.fileName, file);
  } catch (error) {
    await discard(context, claim.fileName);
    throw error;
  } finally {
    stopping.removeEventListener('abort', stop);
    written.abort();
    await lease;
  }
  return rowCount();

  async function keepLease(): Promise<void> {
    let [reported, renewedAt] = [{ rows: 0, progress: 0 }, performance.now()];
    while (await pause(PROGRESS_INTERVAL_MS, written.signal)) {
      const now = rowCount();
      const progress = Math.min(99, Math.floor(100 * share()));
      const isNews = now !== reported.rows || progress !== reported.progress;
      if (!isNews && performance.now() - renewedAt < LEASE_RENEWAL_MS) continue;
      // A database that does not answer for a moment is no reason to stop.
      const isOurs = await reportProgress(db, claim, now, progress, LEASE_SECONDS).catch(() => true);
      [reported, renewedAt] = [{ rows: now, progress }, performance.now()];
      if (!isOurs) file.destroy(new LostExport());
    }
  }
}

/** With how far it is, from 0 to 1. */
async function openFile(
  context: Context,
  pool: pg.Pool,
  claim: ClaimedExport,
): Promise<OpenExport & { share(): number }> {
  const { formId, columns, format, bom, submission_ids: submissionIds } = claim;
  // Whoever submits waits for an answer, whoever exports for a file.
  const givesWay = context.isUnderPressure;
  const rowShare = (rows: number) => rows / Math.max(1, claim.total);
  if (format === 'zip') {
    const request = { formId, columns, submissionIds, format, bom, fileLinks: null };
    const archive = await openArchive(pool, request, { store: context.files, givesWay });
    const share = () => archive.filesShare() ?? rowShare(archive.rowCount());
    return { ...archive, share };
  }
  const fileLinks = createFileLinks(linkSource(context), formId, linkSeconds(claim.linkHours));
  const request = { formId, columns, submissionIds, format, bom, fileLinks };
  const opened = await openExport(pool, request, { givesWay });
  return { ...opened, share: () => rowShare(opened.rowCount()) };
}

/** False when it was cut short. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal }).catch(() => false);
}

async function complete({ db, secrets }: Context, claim: ClaimedExport, rows: number): Promise<boolean> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return completeExport(db, claim, {
    rows,
    tokenEncrypted: secrets.encrypt(token, tokenPurpose(claim.jobId)),
    tokenHash: hashToken(token),
    hours: linkHours(claim.linkHours),
  });
}

/** Binds the encrypted token of a link to its job. */
export function tokenPurpose(jobId: string): string {
  return `export:${jobId}`;
}

async function startNext({ db }: Context, workspaceId: number): Promise<void> {
  const jobId = await findNextExport(db, workspaceId);
  if (jobId !== null) await enqueueExport(db, jobId);
}
