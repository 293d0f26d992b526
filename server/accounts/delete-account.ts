import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { enqueuePurges } from '../forms/saving/delete-form.ts';
import { HttpError, notFound, unauthenticated } from '../http/errors.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { cancelInvitesBy } from '../members/cancel-invites.ts';
import { listMembers, listMemberships, lockMembers } from '../members/queries.ts';
import { deleteWorkspace } from '../workspaces/delete-workspace.ts';
import { keepWorkspaces, lockWorkspace } from '../workspaces/queries.ts';
import {
  deleteUser,
  findUser,
  findUserByEmail,
  isOnlyUser,
  lockFirstAndLastAccount,
  lockFormsNaming,
  lockUser,
  type User,
} from './queries.ts';

/**
 * Deletes an account with its sessions, tokens and memberships, and with `withWorkspaces` also the workspaces that have
 * no other member. Forms the person made in other workspaces stay.
 * @throws HttpError 404 for an unknown address; 409 when a workspace would be left without an admin, or would have to be
 * deleted without `withWorkspaces`
 * @returns its address
 */
export async function deleteAccount(
  db: Db,
  email: string,
  { withWorkspaces }: { withWorkspaces: boolean },
  actor: Actor,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    // One at a time, also with owners who delete their own: each locks the forms of its person before those of others.
    await lockFirstAndLastAccount(trx);
    const user = await findUserByEmail(trx, email);
    if (!user) throw notFound('Account');
    const alone = withWorkspaces ? await lockWorkspacesOfNobodyElse(trx, user.id) : [];
    await lockFormsThatStay(trx, user.id, alone);
    await removePerson(trx, user, actor, async ({ id, name }) => {
      if (!withWorkspaces)
        throw new HttpError(
          409,
          `Nobody else is in the workspace "${name}": it has to be deleted too (--with-workspaces).`,
        );
      await lockWorkspace(trx, id);
      if ((await lockMembers(trx, id)).length > 1)
        throw new HttpError(409, `Somebody joined the workspace "${name}" a moment ago.`);
      await deleteWorkspace(trx, id, actor);
    });
    return user.email;
  });
}

/**
 * Locks the workspaces that go with an account. They come before the person and the members, as for whoever makes a form there, or invites
 * somebody, at this moment. @returns their ids
 */
async function lockWorkspacesOfNobodyElse(trx: Transaction, userId: number): Promise<number[]> {
  const alone: number[] = [];
  const isAlone = async (id: number) => (await listMembers(trx, id)).length === 1;
  for (const { id } of await listMemberships(trx, userId)) {
    if (!(await isAlone(id))) continue;
    await lockWorkspace(trx, id);
    // Somebody may have joined before the lock.
    if (await isAlone(id)) alone.push(id);
  }
  return alone;
}

/**
 * Forms and their versions name the person, whom the deletion takes out there. They come before the person, as for a person who saves one
 * of them at this moment, and after their workspaces, as for whoever deletes one of these.
 * @param alone workspaces whose forms go with them
 */
async function lockFormsThatStay(trx: Transaction, userId: number, alone: number[] = []): Promise<void> {
  const memberships = await listMemberships(trx, userId);
  const staying = memberships.map(({ id }) => id).filter((id) => !alone.includes(id));
  if (staying.length > 0) await keepWorkspaces(trx, staying);
  const going: number[] = [];
  for (const id of alone) going.push(...(await enqueuePurges(trx, id)));
  await lockFormsNaming(trx, userId, { staying, going });
}

/**
 * Deletes an account at the request of its owner, who has to settle their workspaces first.
 * @throws HttpError 409 while a workspace would be left without an admin or without members, and for the only account: a
 * stranger could then register as the first
 */
export async function deleteOwnAccount(db: Db, userId: number, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // One at a time: two people must not each rely on the other to stay.
    await lockFirstAndLastAccount(trx);
    const user = await findUser(trx, userId);
    if (!user) throw unauthenticated();
    if (await isOnlyUser(trx, userId))
      throw new HttpError(409, 'This is the only account here. The operator can delete it.');
    await lockFormsThatStay(trx, userId);
    await removePerson(trx, user, actor, async ({ name }) => {
      throw new HttpError(409, `Nobody else is in the workspace "${name}". Delete it first.`);
    });
  });
}

async function removePerson(
  trx: Transaction,
  user: Pick<User, 'id' | 'name'>,
  actor: Actor,
  onAlone: (workspace: { id: number; name: string }) => Promise<void>,
): Promise<void> {
  await lockUser(trx, user.id);
  const target = { id: user.id, name: user.name };
  for (const workspace of await listMemberships(trx, user.id)) {
    const members = await lockMembers(trx, workspace.id);
    // Somebody else deleted it a moment ago.
    if (members.length === 0) continue;
    const otherAdmins = members.filter((member) => member.role === 'admin' && member.user_id !== user.id);
    if (members.length === 1) await onAlone(workspace);
    else if (otherAdmins.length === 0)
      throw new HttpError(
        409,
        `The workspace "${workspace.name}" has no other admin. Make somebody else its admin first.`,
      );
    else {
      await recordEvent(trx, actor, { verb: 'member.removed', workspaceId: workspace.id, target });
      await cancelInvitesBy(trx, workspace.id, user.id, actor);
    }
  }
  await recordEvent(trx, actor, { verb: 'account.deleted', target });
  await deleteUser(trx, user.id);
  // A running service notices deleted forms by itself, but their exports, and those the person made, only by this job. Others queue it
  // under locks of forms, so it comes after all of those.
  await enqueue(trx, 'purge_exports', {}, { key: 'purge_exports' });
}
