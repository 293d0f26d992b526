import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { listMemberships, lockMembers } from '../members/queries.ts';
import { deleteWorkspace } from '../workspaces/delete-workspace.ts';
import { deleteUser, findUserByEmail, lockUser } from './queries.ts';

/**
 * Deletes an account with its sessions, tokens and memberships, and with the workspaces nobody else is in when
 * `withWorkspaces` says so. Forms the person made in other workspaces stay.
 * @throws HttpError 404 for an unknown address; 409 when a workspace would be left without an admin, or would have to be
 * deleted and may not
 */
export async function deleteAccount(
  db: Db,
  email: string,
  { withWorkspaces }: { withWorkspaces: boolean },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, email);
    if (!user) throw notFound('Account');
    await lockUser(trx, user.id);
    const target = { id: user.id, name: user.name };
    for (const workspace of await listMemberships(trx, user.id)) {
      const members = await lockMembers(trx, workspace.id);
      const isAlone = members.length === 1;
      const otherAdmins = members.filter((member) => member.role === 'admin' && member.user_id !== user.id);
      if (isAlone && !withWorkspaces)
        throw new HttpError(
          409,
          `Nobody else is in the workspace "${workspace.name}": it has to be deleted too (--with-workspaces).`,
        );
      if (isAlone) await deleteWorkspace(trx, workspace.id, actor);
      else if (otherAdmins.length === 0)
        throw new HttpError(
          409,
          `The workspace "${workspace.name}" has no other admin. Make somebody else its admin first.`,
        );
      else await recordEvent(trx, actor, { verb: 'member.removed', workspaceId: workspace.id, target });
    }
    await recordEvent(trx, actor, { verb: 'account.deleted', target });
    await deleteUser(trx, user.id);
  });
}
