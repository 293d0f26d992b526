import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { copySavedViews } from '../../saved-views/queries.ts';
import { copyScenarios } from '../../scenarios/queries.ts';
import { refuseFailingScenarios } from '../../scenarios/refuse-failing.ts';
import { setOptionPlaces } from '../../submissions/option-places-queries.ts';
import { keepWorkspaces } from '../../workspaces/queries.ts';
import { makeSlug } from '../address/slug.ts';
import { refuseChargingWithoutAccount } from '../checks/refuse-without-account.ts';
import { refuseConfirmingWithoutMail } from '../checks/refuse-without-mail.ts';
import { findFormDraft, upsertFormDraft } from '../drafts/queries.ts';
import { holdFormIn } from '../lock-form.ts';
import { findForm, insertForm } from '../queries.ts';
import type { FormInput } from '../schemas.ts';
import { cutTitle } from '../title.ts';
import { keepFirstVersion } from '../versions/keep-version.ts';

/**
 * Copies a form with its draft, its saved views and its scenarios, but without submissions, integrations and deleted fields.
 * @param visibility of the copy; undefined: as the form's
 * @returns the numeric id of the copy
 * @throws HttpError 404, 409 when the form was moved or changed meanwhile, or 422 when it has senders confirm an address and no mail can
 * be sent, when it asks for money and the workspace is not connected to an account, or when the copy of a draft is to be published and fails a scenario that blocks publishing
 */
export async function duplicateForm(
  { db, config }: Pick<Context, 'db' | 'config'>,
  named: NamedForm,
  visibility: FormInput['visibility'],
  creatorId: number,
  actor: Actor,
): Promise<number> {
  const tried = visibility === undefined ? null : await findForm(db, named.id);
  if (tried && visibility !== undefined) await refuseFailingScenarios(db, tried, { visibility });
  return db.transaction().execute(async (trx) => {
    // Locked before the form, in the order in which the deletion of a workspace locks.
    if ((await keepWorkspaces(trx, [named.workspaceId])) === 0) throw notFound('Form');
    await holdFormIn(trx, named);
    // Read now, so that form and draft are of one moment.
    const form = await findForm(trx, named.id);
    if (!form) throw notFound('Form');
    if (tried && tried.version !== form.version)
      throw new HttpError(409, 'The form was changed a moment ago. Please copy it again.');
    await refuseConfirmingWithoutMail({ db: trx, config }, named.workspaceId, form.presentation, null);
    await refuseChargingWithoutAccount(trx, named.workspaceId, form, null);
    const title = titleOfCopy(form.title);
    const formId = await insertForm(trx, {
      title,
      slug: makeSlug(title),
      workspace_id: named.workspaceId,
      creator_id: creatorId,
      visibility: visibility ?? form.visibility,
      tags: form.tags,
      closes_at: form.closes_at,
      max_submissions_count: form.max_submissions_count,
      password_hash: form.password_hash,
      submission_retention_value: form.submission_retention_value,
      submission_retention_unit: form.submission_retention_unit,
      properties: JSON.stringify(form.properties),
      presentation: JSON.stringify(form.presentation),
    });
    await setOptionPlaces(trx, formId, form.properties);
    await keepFirstVersion(trx, formId, actor);
    await copyDraft(trx, form.id, formId, creatorId);
    await copySavedViews(trx, form.id, formId, creatorId);
    await copyScenarios(trx, form.id, formId, creatorId);
    const target = { id: form.id, name: form.title };
    await recordEvent(trx, actor, { verb: 'form.duplicated', formId, target });
    return formId;
  });
}

function titleOfCopy(title: string): string {
  return cutTitle(`Copy of ${title}`);
}

/** Copies the draft as if it was begun from the copy: what others have changed in the original since is no conflict there. */
async function copyDraft(trx: Transaction, fromId: number, toId: number, userId: number): Promise<void> {
  const draft = await findFormDraft(trx, fromId);
  if (!draft) return;
  // A slug in the draft is meant for the original.
  const { slug: _, ...definition } = draft.definition;
  const { title } = definition;
  if (typeof title === 'string' && title !== '') definition.title = titleOfCopy(title);
  const copy = { definition, passwordHash: draft.password_hash, userId };
  await upsertFormDraft(trx, toId, copy, { revision: null, version: null });
}
