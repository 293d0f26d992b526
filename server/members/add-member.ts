import type { MemberRole } from '../access/abilities.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { inviteLink, newInviteToken } from './invite-link.ts';
import { type Invite, insertInvite, markAddressAccepted } from './invite-queries.ts';
import { insertMember, lockAdmin } from './queries.ts';
import { scheduleInviteMail } from './send-invite.ts';

export type Added =
  | { outcome: 'added' | 'already-member' }
  /** `link` is null when it is mailed. */
  | { outcome: 'invited'; invite: Invite; link: string | null };

/**
 * Adds the account with this address at once, or invites the address when there is none.
 * @throws HttpError 400 when it has an open invite, 403 when the actor is no longer an admin, 429 after too many mails to
 * it
 */
export function addMember(
  context: Context,
  workspaceId: number,
  { email, role }: { email: string; role: MemberRole },
  actor: Actor,
): Promise<Added> {
  return context.db.transaction().execute(async (trx): Promise<Added> => {
    await lockAdmin(trx, workspaceId, actor.userId);
    const user = await findUserByEmail(trx, email);
    if (user) {
      const isNew = await insertMember(trx, workspaceId, user.id, role);
      await markAddressAccepted(trx, workspaceId, email);
      const target = { id: user.id, name: user.name };
      if (isNew)
        await recordEvent(trx, actor, { verb: 'member.added', workspaceId, target, details: { role } });
      return { outcome: isNew ? 'added' : 'already-member' };
    }
    const token = newInviteToken(context.secrets);
    const invite = await insertInvite(trx, {
      workspaceId,
      email,
      role,
      ...token,
      invitedBy: actor.userId,
    });
    if (!invite) throw new HttpError(400, 'User has already been invited.', { type: 'error' });
    const target = { id: invite.id, name: email };
    await recordEvent(trx, actor, { verb: 'invite.created', workspaceId, target, details: { role } });
    if (context.mailer.isConfigured) await scheduleInviteMail(trx, invite);
    const link = context.mailer.isConfigured ? null : inviteLink(context, email, token.tokenEncrypted);
    return { outcome: 'invited', invite, link };
  });
}
