import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { HttpError, unavailable } from '../http/errors.ts';
import { type FoundContent, UploadRefusal } from './check-content.ts';
import { completeUpload, deleteUploads } from './queries.ts';

/**
 * Writes the file of an upload whose row is there already. The row comes first and goes last: whatever happens to this
 * process, the next purge knows of the file. After an error nothing is kept.
 * @param found read when all of `content` has passed
 * @throws what `content` was broken with when that is for the sender to know, else HttpError 503
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

/** What cannot be removed now is removed by the purge. */
async function discard({ db, files, log }: Context, id: string, storeName: string): Promise<void> {
  try {
    await files.remove(storeName);
    await deleteUploads(db, [id]);
  } catch (err) {
    log.warn({ err }, 'an upload that was given up was left behind');
  }
}

/** A full disk or a silent bucket is nothing the sender did wrong. */
function explain({ log }: Context, error: unknown): unknown {
  if (error instanceof HttpError || error instanceof UploadRefusal) return error;
  log.error({ err: error }, 'a file could not be stored');
  return unavailable();
}
