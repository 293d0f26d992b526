import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { deleteInvitesBy } from './invite-queries.ts';

/** Cancels the invites whose links a former admin has seen and could use to come back. */
export async function cancelInvitesBy(
  trx: Transaction,
  workspaceId: number,
  userId: number,
  actor: Actor,
): Promise<void> {
  for (const target of await deleteInvitesBy(trx, workspaceId, userId))
    await recordEvent(trx, actor, { verb: 'invite.cancelled', workspaceId, target });
}
