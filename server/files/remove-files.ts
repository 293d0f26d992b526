import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { FileStore } from './file-store.ts';
import { NoAnswer } from './no-answer.ts';
import { deleteUploads } from './queries.ts';
import { findFilesToRemove, findFormsToClean, markUnclaimed, settleClaims } from './removal-queries.ts';
import { findParts } from './resumable/queries.ts';
import { removeLeftParts } from './resumable/remove-parts.ts';

/** Files removed between two looks at the database. */
const CHUNK = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Has the marked files of a form, or all when it is gone after this transaction, removed in the background. */
export async function enqueueRemoval(trx: Transaction, formId: number): Promise<void> {
  await enqueue(trx, 'remove_files', { formId }, { key: `remove_files:${formId}` });
}

/**
 * Removes files from the store, then their rows. What the store does not remove is tried again, and what a stop leaves goes
 * with the next worker.
 * @throws Error the store's last one, after all others were removed; at once where it does not answer, so that nothing waits for
 * each file in turn
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
    const parts = await findParts(
      db,
      chunk.map(({ id }) => id),
    );
    const removed: string[] = [];
    for (const { id, store_name: name } of chunk) {
      if (stopping.aborted || isSilent()) break;
      const names = [name, ...parts.filter((part) => part.id === id).map(({ storeName }) => storeName)];
      await removeAll(files, names).then(
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
 * The sweep behind all prompt removals: what nobody claimed within a day, what belongs to no submission, and what could
 * not be removed before.
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
