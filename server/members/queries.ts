import { sql } from 'kysely';
import type { MemberRole } from '../access/abilities.ts';
import type { Db, Transaction } from '../db/database.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { keepWorkspaces } from '../workspaces/queries.ts';

export interface Member {
  id: number;
  name: string;
  email: string;
  role: MemberRole;
  /** When the account was created. */
  created_at: Date;
  joined_at: Date;
}

/** In the order they joined. */
export async function listMembers(db: Db, workspaceId: number): Promise<Member[]> {
  return db
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.created_at'])
    .select('workspace_members.created_at as joined_at')
    .select(sql<MemberRole>`workspace_members.role`.as('role'))
    .where('workspace_members.workspace_id', '=', workspaceId)
    .orderBy('workspace_members.created_at')
    .orderBy('users.id')
    .execute();
}

export async function isMember(db: Db, workspaceId: number, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('workspace_members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** @returns false when the user is a member already, whose role then stays */
export async function insertMember(
  db: Db,
  workspaceId: number,
  userId: number,
  role: MemberRole,
): Promise<boolean> {
  const inserted = await db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

// Lock the workspace before its members or invites, as deleting it does: in another order both would wait for each other.

/** All members with their roles, none when the workspace is gone. They are locked until the transaction ends. */
export async function lockMembers(trx: Transaction, workspaceId: number) {
  await keepWorkspaces(trx, [workspaceId]);
  return trx
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .select(['user_id', 'users.name', sql<MemberRole>`role`.as('role')])
    .where('workspace_id', '=', workspaceId)
    .orderBy('user_id')
    .forUpdate('workspace_members')
    .execute();
}

/**
 * A removal or demotion of this admin happens before or after the transaction, never during it.
 * @param userId null for the operator, who needs no membership
 * @throws HttpError 404 when the workspace is gone, 403 when the user is no longer an admin
 */
export async function lockAdmin(trx: Transaction, workspaceId: number, userId: number | null): Promise<void> {
  if ((await keepWorkspaces(trx, [workspaceId])) === 0) throw notFound('Workspace');
  if (userId === null) return;
  const membership = await trx
    .selectFrom('workspace_members')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (membership?.role !== 'admin') throw forbidden();
}

export async function updateMemberRole(
  trx: Transaction,
  workspaceId: number,
  userId: number,
  role: MemberRole,
): Promise<void> {
  await trx
    .updateTable('workspace_members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(trx: Transaction, workspaceId: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}

/** The workspaces a user is a member of. */
export async function listMemberships(db: Db, userId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select(['workspaces.id', 'workspaces.name'])
    .where('workspace_members.user_id', '=', userId)
    .orderBy('workspaces.id')
    .execute();
}
