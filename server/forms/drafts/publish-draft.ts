import type { MemberRole } from '../../access/abilities.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import { HttpError, invalid, notFound, unavailable } from '../../http/errors.ts';
import { refuseFailingScenarios } from '../../scenarios/refuse-failing.ts';
import { saveSlug } from '../address/save-slug.ts';
import { refuseForeignCode } from '../checks/custom-code.ts';
import { refuseChargingWithoutAccount } from '../checks/refuse-without-account.ts';
import { refuseConfirmingWithoutMail } from '../checks/refuse-without-mail.ts';
import { formColumns } from '../form-columns.ts';
import { lockFormIn } from '../lock-form.ts';
import { type FormRow, findForm } from '../queries.ts';
import { changesOfForm } from '../saving/changes-of-form.ts';
import { onlyFollows } from '../saving/follow-renames.ts';
import { saveLockedForm } from '../saving/save-form.ts';
import type { FormInput } from '../schemas.ts';
import { definitionProblems } from './definition.ts';
import { deleteFormDraft, type FormDraft, findFormDraft, lockFormDraft } from './queries.ts';

/** Attempts at a form or draft that changes during each of them; then 503. */
const MAX_LOOKS = 3;

interface How {
  role: MemberRole;
  /** Overwrites what others have changed; if `over` is a version of the form, only when the form still has that version. */
  force: boolean;
  over: number | null;
  /** Saved in place of the one that the draft names; undefined for that. */
  visibility: FormInput['visibility'];
  actor: Actor;
}

/**
 * Publishes the draft of a form, all of it or nothing, by the rules of any other save. What others have changed since the draft was
 * begun stays, unless the draft changes it, too.
 * @throws HttpError 403, 404, 409 with both versions and what both changed or when the form was moved meanwhile, or 422
 */
export async function publishDraft(
  context: Context,
  named: NamedForm,
  { role, force, over, visibility, actor }: How,
): Promise<void> {
  const { id: formId } = named;
  for (let look = 0; look < MAX_LOOKS; look++) {
    // The form is read first: a draft read before it may be published in between, and would look outdated.
    const form = await findForm(context.db, formId);
    const draft = await findFormDraft(context.db, formId);
    if (!form) throw notFound('Form');
    if (!draft) throw notFound('Draft');
    const definition = visibility === undefined ? draft.definition : { ...draft.definition, visibility };
    const problems = definitionProblems(definition, form);
    if (Object.keys(problems).length > 0) throw invalid(problems);
    const input = definition as FormInput;
    refuseForeignCode(role, input, form);
    await refuseConfirmingWithoutMail(context, form.workspace_id, input, form);
    await refuseChargingWithoutAccount(context.db, form.workspace_id, input, form);
    await refuseFailingScenarios(context.db, form, input);
    const isForced = force && (over === null || over === form.version);
    if (await store(context, named, { form, draft, input, isForced, actor }))
      return context.publishedForms.forget(formId);
  }
  throw unavailable();
}

interface Publishing {
  form: FormRow;
  draft: FormDraft;
  /** What the draft changes, and what is saved with it. */
  input: FormInput;
  isForced: boolean;
  actor: Actor;
}

/** @returns false when form or draft have changed since they were read */
async function store(
  { db }: Context,
  named: NamedForm,
  { form, draft, input, isForced, actor }: Publishing,
): Promise<boolean> {
  const columns = await formColumns(input);
  const password = draft.password_hash === null ? {} : { password_hash: draft.password_hash };
  return saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const { version } = await lockFormIn(trx, named);
      if (version !== form.version) return false;
      if ((await lockFormDraft(trx, form.id))?.revision !== draft.revision) return false;
      const save = { input, columns: { ...columns, ...password }, actor };
      const about = { draft: 'published' } as const;
      const { fields } = await saveLockedForm(trx, form.id, { ...save, about });
      // Only the save shows for certain what the draft changes. A collision rolls it back.
      const mine = fields.filter((field) => !onlyFollows(field, input));
      if (!isForced) refuseCollision(draft, form, mine);
      return deleteFormDraft(trx, form.id);
    }),
  );
}

/**
 * @param form as it was before the draft was published
 * @param mine names of the members that the draft changes
 * @throws HttpError 409 when others have changed the same members to something else since the draft was begun
 */
function refuseCollision({ base, base_version }: FormDraft, form: FormRow, mine: string[]): void {
  const { version } = form;
  if (version === base_version) return;
  // If it is not known how the form was when the draft was begun, others may have changed everything.
  const theirs = base ? changesOfForm(base, form).fields : mine;
  const changed = mine.filter((field) => theirs.includes(field));
  if (changed.length === 0) return;
  const message = `The form was changed since this draft was begun: ${changed.join(', ')}.`;
  throw new HttpError(409, message, { base_version, version, changed });
}
