import type { MemberRole } from '../../access/abilities.ts';
import type { FormAccess } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { refuseForeignCode } from '../custom-code.ts';
import { definitionProblems } from '../drafts/definition.ts';
import { findForm } from '../queries.ts';
import { saveForm } from '../save-form.ts';
import type { FormInput } from '../schemas.ts';
import { presentWholeVersion } from './present-version.ts';
import { findVersion } from './queries.ts';

/**
 * Publishes a form as it was, by the rules of any other save, which makes one more version of it. Its draft stays.
 * @throws HttpError 403 for code that others would have to add again, 404, 409 when it was moved meanwhile, 422 where
 * the rules are others than they were
 */
export async function restoreVersion(
  context: Context,
  form: Pick<FormAccess, 'id' | 'workspaceId'> & { role: MemberRole },
  version: number,
  actor: Actor,
): Promise<void> {
  const current = await findForm(context.db, form.id);
  if (!current) throw notFound('Form');
  const kept = await findVersion(context.db, form.id, version);
  if (!kept) throw notFound('Version');
  const { definition } = presentWholeVersion(kept);
  const problems = definitionProblems(definition, current);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  refuseForeignCode(form.role, definition, current);
  const about = { restored_version: version };
  await saveForm(context.db, form, definition as FormInput, current.submission_retention_unit, actor, about);
  context.publishedForms.forget(form.id);
}
