import type { MemberRole } from '../access/abilities.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { deleteExportsBy } from '../exports/queries.ts';
import { forbidden, invalid, notFound } from '../http/errors.ts';
import { cancelInvitesBy } from './cancel-invites.ts';
import { deleteMember, lockMembers, updateMemberRole } from './queries.ts';

/**
 * @throws HttpError 404 unless the user is a member, 422 when the workspace would have no admin, 403 when the actor is no
 * longer an admin
 */
export async function changeRole(
  db: Db,
  workspaceId: number,
  userId: number,
  role: MemberRole,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { isLastAdmin, isByAdmin, target, roleBefore } = await lockMember(trx, workspaceId, userId, actor);
    if (!isByAdmin) throw forbidden();
    if (isLastAdmin && role !== 'admin')
      throw invalid({ role: ['The last admin of a workspace keeps this role.'] });
    await updateMemberRole(trx, workspaceId, userId, role);
    const details = { role, role_before: roleBefore };
    await recordEvent(trx, actor, { verb: 'member.role_changed', workspaceId, target, details });
    if (role !== 'admin') await cancelInvitesBy(trx, workspaceId, userId, actor);
  });
}

/** Members may remove themselves. @throws HttpError as `changeRole` does */
export async function removeMember(db: Db, workspaceId: number, userId: number, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { isLastAdmin, isByAdmin, target } = await lockMember(trx, workspaceId, userId, actor);
    if (!isByAdmin && actor.userId !== userId) throw forbidden();
    if (isLastAdmin) throw invalid({ user: ['The last admin cannot leave the workspace.'] });
    await deleteMember(trx, workspaceId, userId);
    await deleteExportsBy(trx, workspaceId, userId);
    const verb = actor.userId === userId ? 'member.left' : 'member.removed';
    await recordEvent(trx, actor, { verb, workspaceId, target });
    await cancelInvitesBy(trx, workspaceId, userId, actor);
  });
}

/**
 * Locks all members: of two admins who leave at once only one does, and an actor who was demoted or removed while waiting
 * is no admin here.
 */
async function lockMember(trx: Transaction, workspaceId: number, userId: number, actor: Actor) {
  const members = await lockMembers(trx, workspaceId);
  const member = members.find((one) => one.user_id === userId);
  if (!member) throw notFound('User');
  const admins = members.filter((one) => one.role === 'admin');
  return {
    // The operator needs no membership.
    isByAdmin: actor.userId === null || admins.some((one) => one.user_id === actor.userId),
    isLastAdmin: member.role === 'admin' && admins.length === 1,
    roleBefore: member.role,
    target: { id: userId, name: member.name },
  };
}
