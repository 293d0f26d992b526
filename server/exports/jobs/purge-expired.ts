import type { Context } from '../../context.ts';
import { deleteExpiredExports, findKnownFiles } from '../queries.ts';
import { removeLeftBehind, scratchOf } from '../sqlite/scratch.ts';
import { EXPORT_FOLDER } from './build-export.ts';

/** Names looked up in one query. */
const CHUNK = 1_000;

/**
 * Deletes jobs whose link has expired, and files that belong to no job: those of expired jobs, deleted forms and workers that died. A
 * job names its file before the file is written, so a new file always belongs to a job.
 */
export async function purgeExpiredExports(context: Context, stopping?: AbortSignal): Promise<void> {
  const { db, files } = context;
  await removeLeftBehind(scratchOf(context));
  await deleteExpiredExports(db);
  const names = await files.list(EXPORT_FOLDER);
  for (let start = 0; start < names.length; start += CHUNK) {
    const some = names.slice(start, start + CHUNK);
    const known = await findKnownFiles(db, some);
    for (const name of some) {
      if (stopping?.aborted) return;
      if (!known.has(name)) await files.remove(name);
    }
  }
}
