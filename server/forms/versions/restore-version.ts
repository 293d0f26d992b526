import type { MemberRole } from '../../access/abilities.ts';
import type { FormAccess } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import { HttpError, invalid, notFound } from '../../http/errors.ts';
import { refuseForeignCode } from '../custom-code.ts';
import { definitionProblems } from '../drafts/definition.ts';
import { formColumns } from '../form-columns.ts';
import { lockFormIn } from '../lock-form.ts';
import { findForm } from '../queries.ts';
import { saveLockedForm } from '../save-form.ts';
import type { FormInput } from '../schemas.ts';
import { keepFormerVersion } from './keep-version.ts';
import { presentWholeVersion } from './present-version.ts';
import { findVersion, newestVersion } from './queries.ts';

interface Restoring {
  version: number;
  /** The newest there was when it was decided; null for whatever there is. */
  over: number | null;
  actor: Actor;
}

/**
 * Publishes a form as it was, by the rules of any other save, which makes one more version of it. Its draft stays.
 * @returns the number of the newest version then
 * @throws HttpError 403 for code that others would have to add again, 404, 409 when it was changed or moved meanwhile, 422
 * where the rules are others than they were
 */
export async function restoreVersion(
  context: Context,
  form: Pick<FormAccess, 'id' | 'workspaceId'> & { role: MemberRole },
  { version, over, actor }: Restoring,
): Promise<number | null> {
  const current = await findForm(context.db, form.id);
  if (!current) throw notFound('Form');
  const kept = await findVersion(context.db, form.id, version);
  if (!kept) throw notFound('Version');
  const definition = presentWholeVersion(kept).definition as FormInput;
  const problems = definitionProblems(definition, current);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  refuseForeignCode(form.role, definition, current);
  const columns = await formColumns(definition, null);
  const { isOvertaken, newest } = await context.db.transaction().execute(async (trx) => {
    await lockFormIn(trx, form);
    // What nobody kept counts as well, and is there afterwards.
    await keepFormerVersion(trx, form.id);
    const newest = await newestVersion(trx, form.id);
    if (over !== null && newest !== over) return { isOvertaken: true, newest };
    await saveLockedForm(trx, form.id, definition, columns, actor, { restored_version: version });
    return { isOvertaken: false, newest: await newestVersion(trx, form.id) };
  });
  if (isOvertaken) throw new HttpError(409, 'Somebody else changed the form meanwhile.', { version: newest });
  context.publishedForms.forget(form.id);
  return newest;
}
