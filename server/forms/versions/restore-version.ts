import { withPresentRetention } from '../../../fields/block-options/answer-retention.ts';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import type { Property } from '../../../fields/property.ts';
import type { MemberRole } from '../../access/abilities.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { HttpError, invalid, notFound } from '../../http/errors.ts';
import { hasBlockingScenarios } from '../../scenarios/queries.ts';
import { refuseFailingScenarios } from '../../scenarios/refuse-failing.ts';
import { refuseForeignCode } from '../checks/custom-code.ts';
import { refuseChargingWithoutAccount } from '../checks/refuse-without-account.ts';
import { refuseConfirmingWithoutMail } from '../checks/refuse-without-mail.ts';
import { definitionProblems } from '../drafts/definition.ts';
import { formColumns } from '../form-columns.ts';
import { lockFormIn } from '../lock-form.ts';
import { formById } from '../named-form.ts';
import { findForm } from '../queries.ts';
import { saveLockedForm } from '../saving/save-form.ts';
import type { FormInput } from '../schemas.ts';
import { presentWholeVersion } from './present-version.ts';
import { findVersion, insertVersionUnlessKept, newestVersion } from './queries.ts';

interface Restoring {
  version: number;
  /** The version that must still be the newest; null if it does not matter. */
  over: number | null;
  actor: Actor;
}

/**
 * Publishes a former version of a form, by the rules of any other save, as a new version. The draft stays, and so does how long the
 * answers to its fields are kept.
 * @returns the number of the newest version afterwards
 * @throws HttpError 403 for code that the caller may not add, 404, 409 when it was changed or moved meanwhile, 422 when the version
 * breaks present rules
 */
export async function restoreVersion(
  context: Context,
  form: NamedForm & { role: MemberRole },
  { version, over, actor }: Restoring,
): Promise<number | null> {
  // Read again below: trying what it does takes too long to hold the lock meanwhile.
  const wanted = await definitionToRestore(context.db, form, version);
  const tried = await formById(context.db, form.id);
  await refuseConfirmingWithoutMail(context, form.workspaceId, wanted, tried);
  await refuseChargingWithoutAccount(context.db, form.workspaceId, wanted, tried);
  await refuseFailingScenarios(context.db, tried, wanted, { isExact: true });
  const { isOvertaken, newest } = await context.db.transaction().execute(async (trx) => {
    const locked = await lockFormIn(trx, form);
    if (locked.version !== tried.version && (await hasBlockingScenarios(trx, form.id)))
      return { isOvertaken: true, newest: await newestVersion(trx, form.id) };
    // Everything is read under the lock: rules of retention and code that others change at this moment count.
    const definition = await definitionToRestore(trx, form, version);
    // A change that was not kept as a version becomes one now: it counts as newer, and can be restored afterwards.
    await insertVersionUnlessKept(trx, form.id);
    const newest = await newestVersion(trx, form.id);
    if (over !== null && newest !== over) return { isOvertaken: true, newest };
    const columns = await formColumns(definition);
    const about = { restored_version: version };
    // Its endings ask for the options of its own blocks.
    await saveLockedForm(trx, form.id, { input: definition, columns, actor, about, isExact: true });
    return { isOvertaken: false, newest: await newestVersion(trx, form.id) };
  });
  if (isOvertaken) throw new HttpError(409, 'Somebody else changed the form meanwhile.', { version: newest });
  context.publishedForms.forget(form.id);
  return newest;
}

/** @throws HttpError 403, 404 or 422 */
async function definitionToRestore(
  db: Db,
  { id, role }: { id: number; role: MemberRole },
  version: number,
): Promise<FormInput> {
  const current = await findForm(db, id);
  if (!current) throw notFound('Form');
  const kept = await findVersion(db, id, version);
  if (!kept) throw notFound('Version');
  const definition = presentWholeVersion(kept).definition as FormInput;
  // How long answers are kept stays as it is, as for the whole form.
  definition.properties = withPresentRetention(definition.properties as Property[], knownBlocks(current));
  const problems = definitionProblems(definition, current);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  refuseForeignCode(role, definition, current);
  return definition;
}
