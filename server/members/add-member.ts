import type { MemberRole } from '../access/abilities.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { inviteLink, newInviteToken } from './invite-link.ts';
import { type Invite, insertInvite, markAddressAccepted } from './invite-queries.ts';
import { insertMember } from './queries.ts';
import { scheduleInviteMail } from './send-invite.ts';

export type Added =
  | { outcome: 'added' | 'already-member' }
  /** `link` is null when it goes out by mail. */
  | { outcome: 'invited'; invite: Invite; link: string | null };

/**
 * Adds the account of this address at once, or invites the address when nobody has it.
 * @throws HttpError 400 when it has an open invite already
 */
export function addMember(
  context: Context,
  workspaceId: number,
  email: string,
  role: MemberRole,
): Promise<Added> {
  return context.db.transaction().execute(async (trx): Promise<Added> => {
    const user = await findUserByEmail(trx, email);
    if (user) {
      const isNew = await insertMember(trx, workspaceId, user.id, role);
      await markAddressAccepted(trx, workspaceId, email);
      return { outcome: isNew ? 'added' : 'already-member' };
    }
    const token = newInviteToken(context.secrets);
    const invite = await insertInvite(trx, { workspaceId, email, role, ...token });
    if (!invite) throw new HttpError(400, 'User has already been invited.', { type: 'error' });
    if (context.mailer.isConfigured) await scheduleInviteMail(trx, invite.id);
    const link = context.mailer.isConfigured ? null : inviteLink(context, email, token.tokenEncrypted);
    return { outcome: 'invited', invite, link };
  });
}
