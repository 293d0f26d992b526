import type { Invite, ListedInvite } from './invite-queries.ts';

/** An invite as admins see it, without its token. */
export function presentInvite(invite: Invite) {
  return {
    id: invite.id,
    workspace_id: invite.workspace_id,
    email: invite.email,
    role: invite.role,
    status: invite.status,
    valid_until: invite.valid_until.toISOString(),
    created_at: invite.created_at.toISOString(),
    updated_at: invite.updated_at.toISOString(),
  };
}

export function presentListed(invite: ListedInvite) {
  return { ...presentInvite(invite), ...(invite.mail_failed && { mail_failed: true as const }) };
}
