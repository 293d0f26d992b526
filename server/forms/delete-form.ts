import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { hasUploads } from '../files/queries.ts';
import { enqueueRemoval } from '../files/remove-files.ts';
import { enqueue } from '../jobs/enqueue.ts';
import {
  deleteFormRow,
  deleteRowsOfForm,
  findExportFiles,
  lockForm,
  lockFormsOfWorkspace,
} from './queries.ts';

/** Rows per table that go at once; what is left of a larger form goes step by step in the background. */
const STEP_ROWS = 10_000;

/** What is left to do after the transaction has committed: see `finishDeletion`. */
export interface DeletedForms {
  /** For `context.publishedForms.forget`. */
  formIds: number[];
  /** Names of export files to remove from the file store. */
  files: string[];
}

/**
 * Removes a form and everything stored for it. The counters are locked first, as the intake does, so that no
 * submission can outlive its form.
 */
export async function deleteForm(trx: Transaction, formId: number, actor: Actor): Promise<DeletedForms> {
  if (await lockForm(trx, formId)) await recordEvent(trx, actor, { verb: 'form.deleted', formId });
  return { formIds: [formId], files: await deleteLockedForm(trx, formId) };
}

/** The caller holds a lock on the workspace that keeps new forms out. */
export async function deleteFormsOfWorkspace(trx: Transaction, workspaceId: number): Promise<DeletedForms> {
  const formIds = await lockFormsOfWorkspace(trx, workspaceId);
  const files: string[] = [];
  for (const formId of formIds) files.push(...(await deleteLockedForm(trx, formId)));
  return { formIds, files };
}

/** After the commit: no form is answered from memory any more, and the files of its exports go. */
export async function finishDeletion(context: Context, { formIds, files }: DeletedForms): Promise<void> {
  for (const formId of formIds) context.publishedForms.forget(formId);
  for (const file of files) {
    await context.files
      .remove(file)
      .catch((err: unknown) =>
        context.log.error({ err, file }, 'an export file of a deleted form is left over'),
      );
  }
}

async function deleteLockedForm(trx: Transaction, formId: number): Promise<string[]> {
  const files = await findExportFiles(trx, formId);
  await deleteFormRow(trx, formId);
  if (await hasUploads(trx, formId)) await enqueueRemoval(trx, formId);
  if (await deleteRowsOfForm(trx, formId, STEP_ROWS)) await enqueue(trx, 'purge_form', { formId });
  return files;
}

/** The rest of a large form, in steps that hold no lock for long. Nothing is added meanwhile: the form is gone. */
export async function purgeForm(db: Db, formId: number, stopping: AbortSignal): Promise<void> {
  while (await deleteRowsOfForm(db, formId, STEP_ROWS))
    if (stopping.aborted) return enqueue(db, 'purge_form', { formId });
}
