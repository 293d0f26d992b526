import type { NamedForm } from '../access/queries.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { holdFormIn, lockFormIn } from '../forms/lock-form.ts';
import { bumpFormRevision } from '../forms/queries.ts';
import { knowsLinks, type LinkSettings, lockLinkSettings } from './settings-queries.ts';

/** A change under way, of a form's recipients or its link settings. */
export interface RecipientChange {
  trx: Transaction;
  formId: number;
  /** The settings before the change. */
  settings: LinkSettings;
}

type Parts = Pick<Context, 'db' | 'publishedForms'>;

/**
 * Changes how a form treats links. It raises the form's revision, so that submissions checked under other settings are
 * checked again.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function changeLinks(
  { db, publishedForms }: Parts,
  form: NamedForm,
  change: (change: RecipientChange) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    await bumpFormRevision(trx, form.id);
    const settings = await lockLinkSettings(trx, form.id, 'changes and openings');
    await change({ trx, formId: form.id, settings });
  });
  publishedForms.forget(form.id);
}

/**
 * Changes the recipients of a form, one change at a time, while answers keep arriving: a link is checked again when it is
 * spent. The first change switches links on for the form.
 * @throws HttpError 404, or 409 when the form was moved meanwhile
 */
export async function changeRecipients<Result>(
  parts: Parts,
  form: NamedForm,
  change: (change: RecipientChange) => Promise<Result>,
): Promise<Result> {
  if (!(await knowsLinks(parts.db, form.id))) await changeLinks(parts, form, async () => {});
  return parts.db.transaction().execute(async (trx) => {
    await holdFormIn(trx, form);
    return change({ trx, formId: form.id, settings: await lockLinkSettings(trx, form.id, 'changes') });
  });
}
