import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { HttpError, unavailable } from '../http/errors.ts';
import { type FoundContent, UploadRefusal } from './check-content.ts';
import { completeUpload, deleteUploads } from './queries.ts';

/**
 * Writes the file of an upload whose row exists already. The row comes before the file and goes after it, so that the purge
 * finds every file, whatever happens to this process. After an error nothing is kept.
 * @param found read only when all of `content` has passed
 * @throws the error of `content` when it is meant for the sender, else HttpError 503
 */
export async function storeFile(
  context: Context,
  { id, storeName }: { id: string; storeName: string },
  content: Readable,
  found: FoundContent,
): Promise<void> {
  try {
    await context.files.write(storeName, content);
    if (!(await completeUpload(context.db, id, found))) throw unavailable();
  } catch (error) {
    await discard(context, id, storeName);
    throw explain(context, error);
  }
}

/** A file that cannot be removed now is left to the purge. */
async function discard({ db, files, log }: Context, id: string, storeName: string): Promise<void> {
  try {
    await files.remove(storeName);
    await deleteUploads(db, [id]);
  } catch (err) {
    log.warn({ err }, 'an upload that was given up was left behind');
  }
}

/** A full disk or a bucket that does not answer is not the sender's fault, so it becomes a 503. */
function explain({ log }: Context, error: unknown): unknown {
  if (error instanceof HttpError || error instanceof UploadRefusal) return error;
  log.error({ err: error }, 'a file could not be stored');
  return unavailable();
}
