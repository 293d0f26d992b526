import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { SYSTEM } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import { HttpError, isRefusal } from '../../http/errors.ts';
import { eachForm } from '../../jobs/go-on.ts';
import { hasPaidButRefused } from '../../payments/queries.ts';
import { lockFormIn } from '../lock-form.ts';
import { bumpFormRevision } from '../queries.ts';
import { deleteForm } from '../saving/delete-form.ts';
import { deleteTrashed, findOverdueForms, insertTrashed, isOverdue } from './queries.ts';

/**
 * Puts a form with everything that belongs to it into the trash: it is offline like a draft, in no list, and deleted after `TRASH_DAYS`.
 * If it is in the trash already, nothing changes.
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile
 */
export async function trashForm(context: Context, form: NamedForm, actor: Actor): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    if (await insertTrashed(trx, form.id))
      await recordEvent(trx, actor, { verb: 'form.trashed', formId: form.id });
  });
  context.publishedForms.forget(form.id);
}

/**
 * Takes a form out of the trash, with its former visibility. If it is not in the trash, nothing changes.
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile
 */
export async function takeOutOfTrash(context: Context, form: NamedForm, actor: Actor): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    const visibility = await deleteTrashed(trx, form.id);
    if (visibility === null) return;
    await bumpFormRevision(trx, form.id, { visibility });
    await recordEvent(trx, actor, {
      verb: 'form.taken_out_of_trash',
      formId: form.id,
      details: { visibility },
    });
  });
  context.publishedForms.forget(form.id);
}

/** Deletes the forms in the trash that are due for deletion. @throws FormsFailed at the end */
export async function emptyTrash(context: Context, stopping: AbortSignal): Promise<void> {
  await eachForm(await findOverdueForms(context.db), (form) => deleteOverdue(context, form), stopping);
}

/** A form that was moved meanwhile, or where somebody pays, waits for the next run; one with what is paid and not taken in for its members. */
async function deleteOverdue(context: Context, form: NamedForm): Promise<void> {
  try {
    await deleteForm(context, form, SYSTEM, async (trx) => {
      if (!(await isOverdue(trx, form.id)))
        throw new HttpError(409, 'The form was taken out of the trash a moment ago.');
      if (await hasPaidButRefused(trx, form.id))
        throw new HttpError(409, 'Somebody has paid for answers that the form has not taken in.');
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
