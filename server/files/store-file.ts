import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import type { FoundContent } from './check-content.ts';
import { notStored } from './not-stored.ts';
import { completeUpload, deleteUploads } from './queries.ts';
import { needRoom } from './room.ts';

/**
 * Writes the file of an upload whose row exists already. The row comes before the file and goes after it, so that the purge
 * finds every file, whatever happens to this process. After an error nothing is kept.
 * @param upload.most bytes that `content` has at most
 * @param found read only when all of `content` has passed
 * @throws the error of `content` when it is meant for the sender, else HttpError 503
 */
export async function storeFile(
  context: Context,
  { id, storeName, most }: { id: string; storeName: string; most: number },
  content: Readable,
  found: FoundContent,
): Promise<void> {
  try {
    await needRoom(context.files, most);
    await context.files.write(storeName, content);
    if (!(await completeUpload(context.db, id, found))) throw unavailable();
  } catch (error) {
    await discard(context, id, storeName);
    throw notStored(context, error, 'a file could not be stored');
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
