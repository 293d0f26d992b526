import type { MemberRole } from '../access/abilities.ts';
import type { Actor } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { HttpError, invalid, notFound, unavailable } from '../http/errors.ts';
import { refuseForeignCode } from './custom-code.ts';
import { definitionProblems } from './draft-definition.ts';
import { deleteFormDraft, type FormDraft, findFormDraft, lockFormDraft } from './draft-queries.ts';
import { formColumns } from './form-columns.ts';
import { type FormRow, findForm, lockProperties } from './queries.ts';
import { saveLockedForm } from './save-form.ts';
import { saveSlug } from './save-slug.ts';
import type { FormInput } from './schemas.ts';

/** A form that others save faster than this many looks at it is not published now. */
const MAX_LOOKS = 3;

/**
 * Makes the unpublished changes of a form the published ones, all or none, by the rules of any other save.
 * @param force also when the form was saved by another way since they were begun.
 * @throws HttpError 403, 404, 409 with both versions, or 422
 */
export async function publishDraft(
  context: Context,
  formId: number,
  { role, force, actor }: { role: MemberRole; force: boolean; actor: Actor },
): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    // The form first: a draft read before it may have been published since, and would look outdated.
    const form = await findForm(context.db, formId);
    const draft = await findFormDraft(context.db, formId);
    if (!form) throw notFound('Form');
    if (!draft) throw notFound('Draft');
    refuseOutdated(form, draft, force);
    const problems = definitionProblems(draft.definition, form);
    if (Object.keys(problems).length > 0) throw invalid(problems);
    refuseForeignCode(role, draft.definition as FormInput, form);
    if (await store(context, form, draft, actor)) return context.publishedForms.forget(formId);
  }
  throw unavailable();
}

function refuseOutdated({ version }: FormRow, { base_version }: FormDraft, force: boolean): void {
  if (force || version === base_version) return;
  throw new HttpError(409, 'The form was changed since this draft was begun.', { base_version, version });
}

/** @returns false when form or draft are not those that were looked at any more. */
async function store({ db }: Context, form: FormRow, draft: FormDraft, actor: Actor): Promise<boolean> {
  const input = draft.definition as FormInput;
  const columns = await formColumns(input, form.submission_retention_unit);
  const password = draft.password_hash === null ? {} : { password_hash: draft.password_hash };
  return saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockProperties(trx, form.id);
      if (locked?.version !== form.version) return false;
      if ((await lockFormDraft(trx, form.id))?.revision !== draft.revision) return false;
      await saveLockedForm(trx, form.id, input, { ...columns, ...password }, actor, { draft: 'published' });
      return deleteFormDraft(trx, form.id);
    }),
  );
}
