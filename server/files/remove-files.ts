import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { FileStore } from './file-store.ts';
import { NoAnswer } from './no-answer.ts';
import { deleteUploads } from './queries.ts';
import { findFilesToRemove, findFormsToClean, markUnclaimed, settleClaims } from './removal-queries.ts';
import { removeLeftParts } from './resumable/remove-parts.ts';

/** Files per query. */
const CHUNK = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Queues the removal of a form's marked files, or of all if the form is gone after this transaction. */
export async function enqueueRemoval(trx: Transaction, formId: number): Promise<void> {
  await enqueue(trx, 'remove_files', { formId }, { key: `remove_files:${formId}` });
}

/**
 * Removes files from the store, then their rows. Failed removals are tried again later; after a stop, the next worker removes
 * the rest.
 * @throws Error the store's last one, after the other files were removed; at once if the store does not respond, because each
 * file would time out in turn
 */
export async function removeFiles(
  { files }: Context,
  db: Db,
  formId: number,
  stopping: AbortSignal,
): Promise<void> {
  let failure: unknown = null;
  const isSilent = () => failure instanceof NoAnswer;
  for (let after = FIRST_ID; ; ) {
    const chunk = await findFilesToRemove(db, formId, after, CHUNK);
    const removed: string[] = [];
    for (const { id, storeNames } of chunk) {
      if (stopping.aborted || isSilent()) break;
      await removeAll(files, storeNames).then(
        () => removed.push(id),
        (error) => {
          failure = error;
        },
      );
    }
    await deleteUploads(db, removed);
    if (stopping.aborted) return db.transaction().execute((trx) => enqueueRemoval(trx, formId));
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK || isSilent()) break;
    after = last.id;
  }
  if (failure !== null) throw failure;
}

async function removeAll(files: FileStore, names: string[]): Promise<void> {
  for (const name of names) await files.remove(name);
}

/**
 * Removes what prompt removals have left: files that nobody claimed within a day, files of no submission, and files that
 * could not be removed before.
 */
export async function purgeFiles(context: Context, db: Db, stopping: AbortSignal): Promise<void> {
  await settleClaims(db, stopping);
  await markUnclaimed(db, stopping);
  await removeLeftParts(context, db, stopping);
  for (const formId of await findFormsToClean(db)) {
    if (stopping.aborted) return;
    await removeFiles(context, db, formId, stopping).catch((err: unknown) => {
      if (err instanceof NoAnswer) throw err;
      context.log.error({ err, formId }, 'files could not be removed; they are tried again in an hour');
    });
  }
}
