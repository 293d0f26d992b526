import type { FormAccess } from '../access/queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import { hasUploads } from '../files/queries.ts';
import { enqueueRemoval } from '../files/remove-files.ts';
import { enqueue } from '../jobs/enqueue.ts';
import {
  deleteFormRows,
  deleteRowsOfForm,
  findExportFiles,
  findFormIds,
  haveIntegrations,
  lockForms,
} from './delete-queries.ts';
import { lockFormIn } from './lock-form.ts';

/** Rows per table that go at once; what is left of a larger form goes step by step in the background. */
const STEP_ROWS = 10_000;
/** How long the background keeps away, so that it does not meet the first step. Where that leaves something, it comes at once. */
const FIRST_STEP_MS = 60_000;

/** What is left to do after the transaction has committed: see `finishDeletion`. */
export interface DeletedForms {
  /** For `context.publishedForms.forget`. */
  formIds: number[];
  /** Names of export files to remove from the file store. */
  files: string[];
  /** Whether a process may still be sending their deliveries. */
  hadIntegrations: boolean;
}

/**
 * Removes a form, then what is stored for it. The transaction that locks its counters is a short one: submissions that find them
 * locked wait in one lane with those of other locked forms.
 * @param isToGo asked first, in the transaction: otherwise nothing happens
 * @throws HttpError 409 when the form was moved meanwhile
 */
export async function deleteForm(
  context: Context,
  form: Pick<FormAccess, 'id' | 'workspaceId'>,
  actor: Actor,
  isToGo: (trx: Transaction) => Promise<boolean> = async () => true,
): Promise<void> {
  const { db, log } = context;
  const { id: formId } = form;
  const deleted = await db.transaction().execute(async (trx) => {
    if (!(await isToGo(trx))) return null;
    await enqueuePurge(trx, formId, { runAt: new Date(Date.now() + FIRST_STEP_MS) });
    const found = await lockForms(trx, [formId]);
    if (found.length > 0) {
      // After the counters, as the intake does it.
      await lockFormIn(trx, form);
      await recordEvent(trx, actor, { verb: 'form.deleted', formId });
    }
    return deleteLockedForms(trx, [formId]);
  });
  if (!deleted) return;
  await finishDeletion(context, deleted);
  try {
    if (await deleteRowsOfForm(db, formId, STEP_ROWS))
      await enqueue(db, 'purge_form', { formId }, { key: purgeKey(formId) });
  } catch (err) {
    log.warn({ err, formId }, 'what was stored for a deleted form is left to the background');
  }
}

/** The caller holds a lock on the workspace that keeps new forms out. What is stored for them goes in the background. */
export async function deleteFormsOfWorkspace(trx: Transaction, workspaceId: number): Promise<DeletedForms> {
  const formIds = await findFormIds(trx, workspaceId);
  // First, as it takes the longest: submissions wait from the lock on.
  for (const formId of formIds) await enqueuePurge(trx, formId);
  await lockForms(trx, formIds);
  return deleteLockedForms(trx, formIds);
}

/**
 * To be called after the commit, and before anybody is told: no form is answered from memory any more, the files of its exports go, and
 * no process begins to send a delivery of it.
 */
export async function finishDeletion(
  context: Context,
  { formIds, files, hadIntegrations }: DeletedForms,
): Promise<void> {
  const nothingIsSent = hadIntegrations ? endpointChangesInForce() : null;
  for (const formId of formIds) context.publishedForms.forget(formId);
  for (const file of files) {
    await context.files
      .remove(file)
      .catch((err: unknown) =>
        context.log.error({ err, file }, 'an export file of a deleted form is left over'),
      );
  }
  await nothingIsSent;
}

/** They are locked as the intake does it, so that no submission can outlive its form. */
async function deleteLockedForms(trx: Transaction, formIds: number[]): Promise<DeletedForms> {
  const files = await findExportFiles(trx, formIds);
  const hadIntegrations = await haveIntegrations(trx, formIds);
  await deleteFormRows(trx, formIds);
  return { formIds, files, hadIntegrations };
}

/** Has the files and rows of a form removed that is gone after this transaction. @param rows when theirs go, now when absent */
async function enqueuePurge(trx: Transaction, formId: number, rows: { runAt?: Date } = {}): Promise<void> {
  if (await hasUploads(trx, formId)) await enqueueRemoval(trx, formId);
  await enqueue(trx, 'purge_form', { formId }, { key: purgeKey(formId), ...rows });
}

function purgeKey(formId: number): string {
  return `purge_form:${formId}`;
}

/** What is stored for a form, in steps that hold no lock for long. Nothing is added meanwhile: the form is gone. */
export async function purgeForm(db: Db, formId: number, stopping: AbortSignal): Promise<void> {
  while (await deleteRowsOfForm(db, formId, STEP_ROWS))
    if (stopping.aborted) return enqueue(db, 'purge_form', { formId });
}
