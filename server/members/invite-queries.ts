import { sql } from 'kysely';
import type { MemberRole } from '../access/abilities.ts';
import { addressKeys } from '../accounts/email.ts';
import { ADDRESS_KEY } from '../accounts/queries.ts';
import type { Db, Transaction } from '../db/database.ts';

export interface Invite {
  id: number;
  workspace_id: number;
  email: string;
  role: MemberRole;
  status: 'pending' | 'accepted';
  valid_until: Date;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = [
  'id',
  'workspace_id',
  'email',
  sql<MemberRole>`role`.as('role'),
  sql<'pending' | 'accepted'>`status`.as('status'),
  'valid_until',
  'created_at',
  'updated_at',
] as const;
const VALID_UNTIL = sql<Date>`now() + interval '7 days'`;

/** Key of the job that mails an invite. */
export function mailJobKey(inviteId: number): string {
  return MAIL_JOB + inviteId;
}

/** Prefix of that key, before the id. */
export const MAIL_JOB = 'invite:';

export interface ListedInvite extends Invite {
  /** The last try failed: the mail server refused, or could not be reached. */
  mail_failed: boolean;
}

/** Pending, expired and accepted ones, oldest first. */
export async function listInvites(db: Db, workspaceId: number): Promise<ListedInvite[]> {
  return db
    .selectFrom('workspace_invites')
    .select(COLUMNS)
    .select(
      sql<boolean>`status = 'pending' and exists (select from graphile_worker.jobs
        where key = ${MAIL_JOB} || workspace_invites.id and last_error is not null)`.as('mail_failed'),
    )
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
}

interface NewInvite {
  workspaceId: number;
  email: string;
  role: MemberRole;
  tokenHash: Buffer;
  tokenEncrypted: Buffer;
  /** The inviting account; null without one. */
  invitedBy: number | null;
}

/** Adds an invite, or renews an expired one of the same address; null when the address has a valid one. */
export async function insertInvite(trx: Transaction, invite: NewInvite): Promise<Invite | null> {
  const renewed = {
    role: invite.role,
    token_hash: invite.tokenHash,
    token_encrypted: invite.tokenEncrypted,
    valid_until: VALID_UNTIL,
    invited_by: invite.invitedBy === null ? [] : [invite.invitedBy],
  };
  const inserted = await trx
    .insertInto('workspace_invites')
    .values({ workspace_id: invite.workspaceId, email: invite.email, ...renewed })
    .onConflict((conflict) =>
      conflict
        .expression(sql`workspace_id, ${ADDRESS_KEY}`)
        .where('status', '=', 'pending')
        .doUpdateSet({ ...renewed, email: invite.email, updated_at: sql`now()` })
        .where('workspace_invites.valid_until', '<=', sql<Date>`now()`),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
  return inserted ?? null;
}

/** The invite of this workspace, locked. */
export async function lockInvite(trx: Transaction, workspaceId: number, id: number): Promise<Invite | null> {
  const found = await trx
    .selectFrom('workspace_invites')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

/** @param toldTo the account that sees its link; null for none @returns the encrypted token of the link */
export async function extendInvite(trx: Transaction, id: number, toldTo: number | null): Promise<Buffer> {
  const extended = await trx
    .updateTable('workspace_invites')
    .set({
      valid_until: VALID_UNTIL,
      updated_at: sql`now()`,
      invited_by: sql`case when ${toldTo}::bigint = any(invited_by) then invited_by
        else invited_by || array_remove(array[${toldTo}::bigint], null) end`,
    })
    .where('id', '=', id)
    .returning('token_encrypted')
    .executeTakeFirstOrThrow();
  return extended.token_encrypted;
}

export async function deleteInvite(trx: Transaction, id: number): Promise<void> {
  await trx.deleteFrom('workspace_invites').where('id', '=', id).execute();
}

/** Deletes unaccepted invites whose links this account has seen, even expired ones, which could be sent again. */
export async function deleteInvitesBy(
  trx: Transaction,
  workspaceId: number,
  userId: number,
): Promise<{ id: number; name: string }[]> {
  return trx
    .deleteFrom('workspace_invites')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'pending')
    .where(sql<boolean>`${userId}::bigint = any(invited_by)`)
    .returning(['id', 'email as name'])
    .execute();
}

/** The invite of a token; the database's clock decides whether it has expired. */
export async function findPendingInvite(
  db: Db,
  tokenHash: Buffer,
): Promise<{ email: string; workspaceId: number; hasExpired: boolean } | null> {
  const found = await db
    .selectFrom('workspace_invites')
    .select(['email', 'workspace_id as workspaceId', sql<boolean>`valid_until <= now()`.as('hasExpired')])
    .where('token_hash', '=', tokenHash)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return found ?? null;
}

/** Whether this token ever existed, even if it was used or has expired. */
export async function inviteExists(db: Db, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('workspace_invites')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return found !== undefined;
}

/** Workspaces of the pending invites of an address. */
export async function findInvitingWorkspaces(db: Db, email: string): Promise<number[]> {
  const found = await db
    .selectFrom('workspace_invites')
    .select('workspace_id')
    .where(ADDRESS_KEY, 'in', addressKeys(email))
    .where('status', '=', 'pending')
    .execute();
  return found.map(({ workspace_id }) => workspace_id);
}

export type AcceptedInvite = Pick<Invite, 'id' | 'workspace_id' | 'email' | 'role'>;
const ACCEPTED_COLUMNS = ['id', 'workspace_id', 'email', sql<MemberRole>`role`.as('role')] as const;

/** Marks the invite as accepted; null unless it was pending and still valid. */
export async function markAccepted(trx: Transaction, tokenHash: Buffer): Promise<AcceptedInvite | null> {
  const accepted = await accepting(trx)
    .where('token_hash', '=', tokenHash)
    .where('valid_until', '>', sql<Date>`now()`)
    .returning(ACCEPTED_COLUMNS)
    .executeTakeFirst();
  return accepted ?? null;
}

/** Marks all pending, valid invites of an address as accepted. */
export function markAllAccepted(trx: Transaction, email: string): Promise<AcceptedInvite[]> {
  return accepting(trx)
    .where(ADDRESS_KEY, 'in', addressKeys(email))
    .where('valid_until', '>', sql<Date>`now()`)
    .returning(ACCEPTED_COLUMNS)
    .execute();
}

/** The workspace of an accepted invite, if the user is a member of it; null otherwise. */
export async function findJoinedWorkspace(db: Db, tokenHash: Buffer, userId: number): Promise<number | null> {
  const found = await db
    .selectFrom('workspace_invites')
    .innerJoin('workspace_members', 'workspace_members.workspace_id', 'workspace_invites.workspace_id')
    .select('workspace_invites.workspace_id')
    .where('token_hash', '=', tokenHash)
    .where('status', '=', 'accepted')
    .where('workspace_members.user_id', '=', userId)
    .executeTakeFirst();
  return found?.workspace_id ?? null;
}

/** Closes the open invite of an address that was added without it. */
export async function markAddressAccepted(
  trx: Transaction,
  workspaceId: number,
  email: string,
): Promise<void> {
  await accepting(trx)
    .where('workspace_id', '=', workspaceId)
    .where(ADDRESS_KEY, 'in', addressKeys(email))
    .execute();
}

function accepting(trx: Transaction) {
  return trx
    .updateTable('workspace_invites')
    .set({ status: 'accepted', updated_at: sql`now()` })
    .where('status', '=', 'pending');
}

/** Contents of the mail of a pending, unexpired invite. */
export async function findInviteMail(db: Db, id: number) {
  const found = await db
    .selectFrom('workspace_invites')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_invites.workspace_id')
    .select([
      'workspace_invites.email',
      'workspace_invites.token_encrypted',
      'workspaces.name as workspaceName',
    ])
    .where('workspace_invites.id', '=', id)
    .where('workspace_invites.status', '=', 'pending')
    .where('workspace_invites.valid_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return found ?? null;
}
