import { isAtLeast, type MemberRole } from '../../access/abilities.ts';
import { findWorkspaceAccess, type NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import { endpointChangesInForce } from '../../deliveries/endpoints.ts';
import { forbidden, invalid, notFound } from '../../http/errors.ts';
import { copyPicturesOfForm } from '../../pictures/queries.ts';
import { keepWorkspaces } from '../../workspaces/queries.ts';
import { refuseForeignCode } from '../checks/custom-code.ts';
import { refuseMovingWithoutAccount } from '../checks/refuse-without-account.ts';
import { refuseMovingWithoutMail } from '../checks/refuse-without-mail.ts';
import { findFormDraft } from '../drafts/queries.ts';
import { lockFormIn } from '../lock-form.ts';
import { setWorkspace } from '../queries.ts';

/**
 * Moves a form with everything that belongs to it into another workspace. Code in it counts as new there, so only an admin of the new
 * workspace may move it. The audit logs of both workspaces have an entry.
 * @returns the caller's role in the workspace the form is in now
 * @throws HttpError 403, 404, 409 or 422
 */
export async function moveForm(
  context: Context,
  form: NamedForm,
  { workspaceId, userId }: { workspaceId: number; userId: number },
  actor: Actor,
): Promise<MemberRole> {
  const { config, db, publishedForms } = context;
  const target = await findWorkspaceAccess(db, workspaceId, userId);
  if (!target) throw invalid({ workspace_id: ['The selected workspace id is invalid.'] });
  const { role } = target;
  if (role === null || !isAtLeast(role, 'user')) throw forbidden();
  if (workspaceId === form.workspaceId) return role;
  await db.transaction().execute(async (trx) => {
    // Keeps both workspaces from being deleted meanwhile, as their forms are deleted with them.
    if ((await keepWorkspaces(trx, [form.workspaceId, workspaceId])) < 2) throw notFound('Workspace');
    const { presentation, properties } = await lockFormIn(trx, form);
    const { custom_code } = presentation;
    refuseForeignCode(role, { ...(custom_code && { custom_code }), properties });
    refuseForeignCode(role, (await findFormDraft(trx, form.id))?.definition ?? {});
    await refuseMovingWithoutMail({ db: trx, config }, workspaceId, { presentation });
    await refuseMovingWithoutAccount(trx, workspaceId, { properties });
    await copyPicturesOfForm(trx, form.id, workspaceId);
    await setWorkspace(trx, form.id, workspaceId);
    const details = { workspace_id_before: form.workspaceId, workspace_id: workspaceId };
    for (const id of [form.workspaceId, workspaceId])
      await recordEvent(trx, actor, { verb: 'form.moved', workspaceId: id, formId: form.id, details });
  });
  publishedForms.forget(form.id);
  // Its mails go through the other workspace's server.
  await endpointChangesInForce();
  return role;
}
