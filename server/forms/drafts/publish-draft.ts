import type { MemberRole } from '../../access/abilities.ts';
import type { FormAccess } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import { HttpError, invalid, notFound, unavailable } from '../../http/errors.ts';
import { changesOfForm } from '../changes-of-form.ts';
import { refuseForeignCode } from '../custom-code.ts';
import { formColumns } from '../form-columns.ts';
import { lockFormIn } from '../lock-form.ts';
import { type FormRow, findForm } from '../queries.ts';
import { saveLockedForm } from '../save-form.ts';
import { saveSlug } from '../save-slug.ts';
import type { FormInput } from '../schemas.ts';
import { definitionProblems } from './definition.ts';
import { deleteFormDraft, type FormDraft, findFormDraft, lockFormDraft } from './queries.ts';

/** A form that others save faster than this many looks at it is not published now. */
const MAX_LOOKS = 3;

/**
 * Makes the unpublished changes of a form the published ones, all or none, by the rules of any other save. What others
 * changed since they were begun, and they do not, stays.
 * @param force also over what others changed; where `over` names a version of the form, over that one alone.
 * @throws HttpError 403, 404, 409 with both versions and what both changed or when the form was moved meanwhile, or 422
 */
export async function publishDraft(
  context: Context,
  named: Pick<FormAccess, 'id' | 'workspaceId'>,
  { role, force, over, actor }: { role: MemberRole; force: boolean; over: number | null; actor: Actor },
): Promise<void> {
  const { id: formId } = named;
  for (let look = 0; look < MAX_LOOKS; look++) {
    // The form first: a draft read before it may have been published since, and would look outdated.
    const form = await findForm(context.db, formId);
    const draft = await findFormDraft(context.db, formId);
    if (!form) throw notFound('Form');
    if (!draft) throw notFound('Draft');
    const problems = definitionProblems(draft.definition, form);
    if (Object.keys(problems).length > 0) throw invalid(problems);
    refuseForeignCode(role, draft.definition as FormInput, form);
    const isForced = force && (over === null || over === form.version);
    if (await store(context, named, { form, draft, isForced, actor }))
      return context.publishedForms.forget(formId);
  }
  throw unavailable();
}

/** @returns false when form or draft are not those that were looked at any more. */
async function store(
  { db }: Context,
  named: Pick<FormAccess, 'id' | 'workspaceId'>,
  { form, draft, isForced, actor }: { form: FormRow; draft: FormDraft; isForced: boolean; actor: Actor },
): Promise<boolean> {
  const input = draft.definition as FormInput;
  const columns = await formColumns(input, form.submission_retention_unit);
  const password = draft.password_hash === null ? {} : { password_hash: draft.password_hash };
  return saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const { version } = await lockFormIn(trx, named);
      if (version !== form.version) return false;
      if ((await lockFormDraft(trx, form.id))?.revision !== draft.revision) return false;
      const about = { draft: 'published' } as const;
      const { fields } = await saveLockedForm(trx, form.id, input, { ...columns, ...password }, actor, about);
      // Once it is saved: only then it is certain what it changes.
      if (!isForced) refuseCollision(draft, form, fields);
      return deleteFormDraft(trx, form.id);
    }),
  );
}

/**
 * @param form as it was before the draft was published.
 * @param mine what the draft changes.
 * @throws HttpError 409 when others changed what the draft changes, too, and to something else.
 */
function refuseCollision({ base, base_version }: FormDraft, form: FormRow, mine: string[]): void {
  const { version } = form;
  if (version === base_version) return;
  // Where the beginning is not known, everything may have been changed by others.
  const theirs = base ? changesOfForm(base, form).fields : mine;
  const changed = mine.filter((field) => theirs.includes(field));
  if (changed.length === 0) return;
  const message = `The form was changed since this draft was begun: ${changed.join(', ')}.`;
  throw new HttpError(409, message, { base_version, version, changed });
}
