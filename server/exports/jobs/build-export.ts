import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hashToken } from '../../access/token-format.ts';
import type { Context } from '../../context.ts';
import { databaseProblem } from '../../db/constraint-errors.ts';
import type { Db } from '../../db/database.ts';
import { createFileLinks, linkHours, linkSeconds, linkSource } from '../../files/file-links.ts';
import { needRoom } from '../../files/room.ts';
import { openArchive, selectionOf } from '../archive.ts';
import { type OpenExport, openExport } from '../open-export.ts';
import { scratchOf } from '../sqlite/scratch.ts';
import {
  type ClaimedExport,
  claimExport,
  completeExport,
  countEntries,
  failExport,
  findAbandonedExports,
  findNextExports,
  releaseExport,
  reportProgress,
} from './build-queries.ts';
import { sumFileSizes } from './contained-files-queries.ts';
import { failureMessage } from './failure-message.ts';
import { whileThereIsRoom } from './room.ts';
import { enqueueExport } from './start-export.ts';

/** Folder of the file store. */
export const EXPORT_FOLDER = 'exports';
const LEASE_RENEWAL_MS = 10_000;
const PROGRESS_INTERVAL_MS = 500;
/** Attempts at a job whose workers died, or lost the database or the files, before it is given up. */
const MAX_CLAIMS = 5;
const INTERRUPTED =
  'The export was interrupted too often: by restarts, or because the database or the place of the files could not be reached.';
const TOKEN_BYTES = 32;
/** Exports that a process builds at a time: with a slow store they take long, and other jobs must not wait for them. */
const AT_ONCE = 2;
/** Pause before a process that builds as many looks again; another one may be free. */
const AGAIN_SECONDS = 2;
/** How many each process builds, by its database, as tests have several in one. */
const underWay = new WeakMap<Db, number>();

/**
 * Builds the file of an export job. Does nothing when the job is finished, gone, held by another worker, or has to wait for other
 * jobs of its workspace; puts it off while this process builds as many as it may.
 * @param pool connections without statement timeout
 * @param stopping ends the work; the job is given back, and the next worker starts it again
 */
export async function buildExport(
  context: Context,
  pool: pg.Pool,
  jobId: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = context;
  const others = underWay.get(db) ?? 0;
  if (others >= AT_ONCE) return enqueueExport(db, jobId, AGAIN_SECONDS);
  underWay.set(db, others + 1);
  try {
    await build(context, pool, jobId, stopping);
  } finally {
    underWay.set(db, (underWay.get(db) ?? 1) - 1);
  }
}

async function build(context: Context, pool: pg.Pool, jobId: string, stopping: AbortSignal): Promise<void> {
  const attemptName = `${EXPORT_FOLDER}/${jobId}-${randomBytes(8).toString('hex')}`;
  const claim = await context.db.transaction().execute((trx) => claimExport(trx, jobId, attemptName));
  if (!claim) return;
  if (claim.previousFileName !== null) await discard(context, claim.previousFileName);
  if (claim.attempts > MAX_CLAIMS) await fail(context, claim, INTERRUPTED);
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
    if (stopping.aborted) return releaseExport(db, claim, { countsAttempt: false });
    if (databaseProblem(error) === 'unavailable') {
      // If this fails too, the lease ends by itself.
      await releaseExport(db, claim, { countsAttempt: true }).catch(() => {});
      throw error;
    }
    log.error({ err: error, jobId: claim.jobId }, 'export failed');
    await fail(context, claim, failureMessage(error));
  }
}

/** Removes a file; if that fails, the next purge finds it. */
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
 * Writes the file; if that fails, no file is left. (A complete file stays even if completing the job fails without an answer, as the
 * job may be completed. If it is not, the next attempt or purge removes the file.)
 * @returns the number of lines written, one per submission or entry
 */
async function writeFile(
  context: Context,
  pool: pg.Pool,
  claim: ClaimedExport,
  stopping: AbortSignal,
): Promise<number> {
  const { db, files } = context;
  const [lost, finished] = [new AbortController(), new AbortController()];
  const ended = AbortSignal.any([stopping, lost.signal]);
  let opened: OpenFile | null = null;
  const end = () =>
    opened?.file.destroy(lost.signal.aborted ? new LostExport() : new Error('The worker stops.'));
  ended.addEventListener('abort', end, { once: true });
  // Kept from the beginning, as even measuring how much there is may take long.
  const lease = keepLease();
  try {
    opened = await openFile(context, pool, claim);
    if (ended.aborted) end();
    await files.write(claim.fileName, opened.file, { expectedBytes: opened.expectedBytes });
  } catch (error) {
    await discard(context, claim.fileName);
    throw error;
  } finally {
    ended.removeEventListener('abort', end);
    finished.abort();
    await lease;
  }
  return opened.rowCount();

  async function keepLease(): Promise<void> {
    let [reported, renewedAt] = [{ rows: 0, progress: 0 }, performance.now()];
    while (await pause(PROGRESS_INTERVAL_MS, finished.signal)) {
      const rows = opened?.rowCount() ?? 0;
      const progress = Math.min(99, Math.floor(100 * (opened?.share() ?? 0)));
      const isNews = rows !== reported.rows || progress !== reported.progress;
      if (!isNews && performance.now() - renewedAt < LEASE_RENEWAL_MS) continue;
      // If the database does not answer for a moment, the work goes on.
      const isOurs = await reportProgress(db, claim, rows, progress).catch(() => true);
      [reported, renewedAt] = [{ rows, progress }, performance.now()];
      if (!isOurs) lost.abort();
    }
  }
}

interface OpenFile extends OpenExport {
  /** How much is done, from 0 to 1. */
  share(): number;
  /** Size of the uploaded files in it. */
  expectedBytes: number;
}

async function openFile(context: Context, pool: pg.Pool, claim: ClaimedExport): Promise<OpenFile> {
  const { formId, columns, format, bom, submission_ids: submissionIds, entries_of: entriesOf } = claim;
  // Exports give way to submissions, whose senders wait for an answer.
  const givesWay = context.isUnderPressure;
  const total =
    entriesOf === null ? claim.total : await countEntries(pool, { formId, submissionIds, entriesOf });
  const rowShare = (rows: number) => rows / Math.max(1, total);
  if (format === 'zip') {
    const request = { formId, columns, entriesOf, submissionIds, format, bom, fileLinks: null };
    const expectedBytes = await sumFileSizes(pool, selectionOf(request));
    await needRoom(context.files, expectedBytes);
    const archive = await openArchive(pool, request, { store: context.files, expectedBytes, givesWay });
    const share = () => archive.filesShare() ?? rowShare(archive.rowCount());
    return { ...archive, file: whileThereIsRoom(archive.file, context.files), share, expectedBytes };
  }
  // The size of other formats is not known in advance.
  await needRoom(context.files);
  const fileLinks = createFileLinks(linkSource(context), formId, linkSeconds(claim.linkHours));
  const request = { formId, columns, entriesOf, submissionIds, format, bom, fileLinks };
  const { file, rowCount } = await openExport(pool, request, { scratch: scratchOf(context), givesWay });
  const kept = whileThereIsRoom(file, context.files);
  return { file: kept, rowCount, share: () => rowShare(rowCount()), expectedBytes: 0 };
}

/** @returns false when the signal ended the pause */
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

/** The purpose that binds the encrypted token of a link to its job. */
export function tokenPurpose(jobId: string): string {
  return `export:${jobId}`;
}

async function startNext({ db }: Context, workspaceId: number): Promise<void> {
  for (const jobId of await findNextExports(db, workspaceId)) await enqueueExport(db, jobId);
}
