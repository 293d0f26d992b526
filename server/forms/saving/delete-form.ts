import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { endpointChangesInForce } from '../../deliveries/endpoints.ts';
import { hasUploads } from '../../files/queries.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { refuseWhileBeingPaid } from '../../payments/refuse-deletion.ts';
import { lockFormIn } from '../lock-form.ts';
import {
  deleteFormRows,
  deleteRowsOfForm,
  findExportFiles,
  findFormIds,
  haveIntegrations,
  lockForms,
} from './delete-queries.ts';

/** Delay of the background job, so that it does not meet the first step. If that leaves rows, the job is run at once. */
const FIRST_STEP_SECONDS = 60;

/** What `finishDeletion` has to do after the commit. */
export interface DeletedForms {
  /** For `context.publishedForms.forget`. */
  formIds: number[];
  /** Names of export files to remove from the file store. */
  files: string[];
  /** Whether a process may still be sending their deliveries. */
  hadIntegrations: boolean;
}

/**
 * Deletes a form, and afterwards the rows stored for it. The transaction that locks its counters is kept short, as submissions of
 * all locked forms wait in one lane.
 * @param refuse called once the form is locked; if it throws, nothing is deleted
 * @throws HttpError 409 when the form was moved meanwhile or somebody may be paying at it, or what `refuse` throws
 */
export async function deleteForm(
  context: Context,
  form: NamedForm,
  actor: Actor,
  refuse: (trx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const { db, log } = context;
  const { id: formId } = form;
  const deleted = await db.transaction().execute(async (trx) => {
    await enqueuePurge(trx, formId, { delaySeconds: FIRST_STEP_SECONDS });
    const found = await lockForms(trx, [formId]);
    if (found.length > 0) {
      // Locked after the counters, in the order of the intake.
      await lockFormIn(trx, form);
      await refuse(trx);
      await recordEvent(trx, actor, { verb: 'form.deleted', formId });
    }
    return deleteLockedForms(trx, [formId]);
  });
  await finishDeletion(context, deleted);
  try {
    if (await deleteRowsOfForm(db, formId))
      await enqueue(db, 'purge_form', { formId }, { key: purgeKey(formId) });
  } catch (err) {
    log.warn({ err, formId }, 'what was stored for a deleted form is left to the background');
  }
}

/**
 * Deletes all forms of a workspace, and their rows in the background. The caller's lock on the workspace prevents new forms.
 * @throws HttpError 409 while somebody may be paying at one of them
 */
export async function deleteFormsOfWorkspace(trx: Transaction, workspaceId: number): Promise<DeletedForms> {
  const formIds = await enqueuePurges(trx, workspaceId);
  await lockForms(trx, formIds);
  return deleteLockedForms(trx, formIds);
}

/**
 * The part of `deleteFormsOfWorkspace` that takes longest, so it comes before the lock that submissions wait for.
 * @returns the forms
 */
export async function enqueuePurges(trx: Transaction, workspaceId: number): Promise<number[]> {
  const formIds = await findFormIds(trx, workspaceId);
  for (const formId of formIds) await enqueuePurge(trx, formId);
  return formIds;
}

/**
 * To be called after the commit and before the response. Removes the forms from memory and their exports from the file store, and
 * waits until no process can begin to send one of their deliveries.
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

/**
 * The caller has locked the forms by `lockForms`, so that no submission can outlive its form.
 * @throws HttpError 409 while somebody may be paying at one of them
 */
async function deleteLockedForms(trx: Transaction, formIds: number[]): Promise<DeletedForms> {
  await refuseWhileBeingPaid(trx, formIds);
  const files = await findExportFiles(trx, formIds);
  const hadIntegrations = await haveIntegrations(trx, formIds);
  await deleteFormRows(trx, formIds);
  return { formIds, files, hadIntegrations };
}

/**
 * Queues the removal of a form's files and rows, for after this transaction. The keys of these jobs are for deletions of forms alone:
 * whoever removes files under the form's lock, which is taken later here, must not wait for one of them.
 * @param rows when to remove the rows; at once by default
 */
async function enqueuePurge(
  trx: Transaction,
  formId: number,
  rows: { delaySeconds?: number } = {},
): Promise<void> {
  if (await hasUploads(trx, formId))
    await enqueue(trx, 'remove_files', { formId }, { key: `remove_files_of_deleted:${formId}` });
  await enqueue(trx, 'purge_form', { formId }, { key: purgeKey(formId), ...rows });
}

function purgeKey(formId: number): string {
  return `purge_form:${formId}`;
}

/** Deletes the rows of a deleted form, in steps that hold no lock for long. No rows are added meanwhile, as the form is gone. */
export async function purgeForm(db: Db, formId: number, stopping: AbortSignal): Promise<void> {
  while (await deleteRowsOfForm(db, formId))
    if (stopping.aborted) return enqueue(db, 'purge_form', { formId });
}
