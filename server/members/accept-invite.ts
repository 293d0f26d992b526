import type { FastifyRequest } from 'fastify';
import { guess, WITH_ADDRESSES } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import { hashToken } from '../access/token-format.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { keepWorkspaces } from '../workspaces/queries.ts';
import {
  type AcceptedInvite,
  findInvitingWorkspaces,
  findJoinedWorkspace,
  findPendingInvite,
  inviteExists,
  markAccepted,
  markAllAccepted,
} from './invite-queries.ts';
import { insertMember } from './queries.ts';

/**
 * Runs work that may refuse the token of an invite. An address that tries many unknown tokens has to wait, if it stands
 * for one client: where all visitors share an address, a stranger could block everybody who is invited.
 * @throws HttpError 429, or errors of `work`
 */
export async function guessInvite<Result>(
  { config, db }: Context,
  request: FastifyRequest,
  token: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (token === null || !isOneClient(config, request)) return work();
  const guesses = { subject: 'invites', address: request.ip, patience: WITH_ADDRESSES };
  await guess(db, guesses, () => inviteExists(db, hashToken(token)));
  return work();
}

/**
 * @returns the address that was invited
 * @throws HttpError 400 unless the token opens a pending invite that has not expired
 */
export async function requireUsableInvite(db: Db, token: string): Promise<string> {
  const invite = await findPendingInvite(db, hashToken(token));
  if (!invite) throw refused('Invite token is invalid.');
  if (invite.hasExpired) throw refused('Invite token has expired.');
  return invite.email;
}

/**
 * Makes the user a member as the invite says; members keep their role. The token alone is the proof: it works for any
 * account, whatever address it was sent to. For a member a used token works too: a lost response is asked for again, and
 * a link in a mail opened again.
 * @returns the id of the workspace
 * @throws HttpError 400 when the invite was used by somebody else, has expired or is unknown
 */
export async function acceptInvite(
  trx: Transaction,
  token: string,
  userId: number,
  actor: Actor,
): Promise<number> {
  const pending = await findPendingInvite(trx, hashToken(token));
  // Locked before the invite, in the order of deleting the workspace: see `lockMembers`.
  if (pending) await keepWorkspaces(trx, [pending.workspaceId]);
  const invite = await markAccepted(trx, hashToken(token));
  if (!invite) {
    const joined = await findJoinedWorkspace(trx, hashToken(token), userId);
    if (joined !== null) return joined;
    await requireUsableInvite(trx, token);
    throw refused('Invite token is invalid.');
  }
  await join(trx, invite, userId, actor);
  return invite.workspace_id;
}

/** Accepts all invites sent to an address, for its proven owner. @returns how many there were */
export async function acceptInvitesOf(
  trx: Transaction,
  email: string,
  userId: number,
  actor: Actor,
): Promise<number> {
  const inviting = await findInvitingWorkspaces(trx, email);
  if (inviting.length > 0) await keepWorkspaces(trx, inviting);
  const invites = await markAllAccepted(trx, email);
  for (const invite of invites) await join(trx, invite, userId, actor);
  return invites.length;
}

async function join(trx: Transaction, invite: AcceptedInvite, userId: number, actor: Actor): Promise<void> {
  await insertMember(trx, invite.workspace_id, userId, invite.role);
  await recordEvent(trx, actor, {
    verb: 'invite.accepted',
    workspaceId: invite.workspace_id,
    target: { id: invite.id, name: invite.email },
    details: { role: invite.role },
  });
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { type: 'error' });
}
