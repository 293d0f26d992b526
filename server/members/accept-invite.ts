import { hashToken } from '../access/token-format.ts';
import type { Db, Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { findPendingInvite, markAccepted } from './invite-queries.ts';
import { insertMember } from './queries.ts';

/** @throws HttpError 400 unless the token opens a pending invite that has not expired */
export async function requireUsableInvite(db: Db, token: string): Promise<void> {
  const invite = await findPendingInvite(db, hashToken(token));
  if (!invite) throw refused('Invite token is invalid.');
  if (invite.hasExpired) throw refused('Invite token has expired.');
}

/**
 * Makes the user a member as the invite says; whoever is a member already keeps their role. The token is the proof: it
 * counts for any account, whatever address it was sent to.
 * @returns the id of the workspace
 * @throws HttpError 400 when the invite is used, expired or unknown
 */
export async function acceptInvite(trx: Transaction, token: string, userId: number): Promise<number> {
  const invite = await markAccepted(trx, hashToken(token));
  if (!invite) {
    await requireUsableInvite(trx, token);
    throw refused('Invite token is invalid.');
  }
  await insertMember(trx, invite.workspace_id, userId, invite.role);
  return invite.workspace_id;
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { type: 'error' });
}
