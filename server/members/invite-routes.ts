import { callerOf, workspaceOf } from '../access/guard.ts';
import { WorkspaceParams } from '../access/path-params.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { Success, success } from '../http/schemas/success.ts';
import { acceptInvite, guessInvite } from './accept-invite.ts';
import { inviteLink } from './invite-link.ts';
import { deleteInvite, extendInvite, type Invite, listInvites, lockInvite } from './invite-queries.ts';
import { presentListed } from './present-invite.ts';
import { lockAdmin } from './queries.ts';
import {
  AcceptInviteBody,
  InviteAccepted,
  InviteList,
  InviteParams,
  InviteResent,
  managing,
  tags,
  UnusableInvite,
  UsedInvite,
} from './schemas.ts';
import { scheduleInviteMail } from './send-invite.ts';

export function registerInviteRoutes(app: App, context: Context): void {
  app.get(
    '/open/workspaces/:workspaceId/invites',
    {
      config: { access: { kind: 'workspace', ability: 'workspaces-write', role: 'admin', in: 'path' } },
      schema: {
        tags,
        summary: 'List the invites, without their links',
        params: WorkspaceParams,
        response: { 200: InviteList },
      },
    },
    async (request) => (await listInvites(context.db, workspaceOf(request).id)).map(presentListed),
  );

  app.post(
    '/open/workspaces/:workspaceId/invites/:inviteId/resend',
    {
      config: { access: managing },
      schema: {
        tags,
        summary: 'Send an invite again, with a link valid for another 7 days',
        params: InviteParams,
        response: { 200: InviteResent, 400: UsedInvite },
      },
    },
    async (request) => {
      const { id: workspaceId } = workspaceOf(request);
      const link = await context.db.transaction().execute(async (trx) => {
        await lockAdmin(trx, workspaceId, callerOf(request).userId);
        const invite = await lockPendingInvite(trx, workspaceId, request.params.inviteId);
        const toldTo = context.mailer.isConfigured ? null : callerOf(request).userId;
        const tokenEncrypted = await extendInvite(trx, invite.id, toldTo);
        const target = { id: invite.id, name: invite.email };
        await recordEvent(trx, actorOf(request), { verb: 'invite.resent', workspaceId, target });
        if (context.mailer.isConfigured) return scheduleInviteMail(trx, invite);
        return inviteLink(context, invite.email, tokenEncrypted);
      });
      if (!link) return success('Invite email resent successfully.');
      return success('Invitation renewed. Hand this link to the user.', { invite_link: link });
    },
  );

  app.delete(
    '/open/workspaces/:workspaceId/invites/:inviteId/cancel',
    {
      config: { access: managing },
      schema: {
        tags,
        summary: 'Cancel an invite',
        params: InviteParams,
        response: { 200: Success, 400: UsedInvite },
      },
    },
    async (request) => {
      const { id: workspaceId } = workspaceOf(request);
      await context.db.transaction().execute(async (trx) => {
        await lockAdmin(trx, workspaceId, callerOf(request).userId);
        const invite = await lockPendingInvite(trx, workspaceId, request.params.inviteId);
        await deleteInvite(trx, invite.id);
        const target = { id: invite.id, name: invite.email };
        await recordEvent(trx, actorOf(request), { verb: 'invite.cancelled', workspaceId, target });
      });
      return success('Invite deleted successfully.');
    },
  );

  app.post(
    '/invites/accept',
    {
      config: { access: { kind: 'session' } },
      schema: {
        tags,
        summary: 'Join a workspace with the token of an invite link',
        body: AcceptInviteBody,
        response: { 200: InviteAccepted, 400: UnusableInvite },
      },
    },
    async (request) => {
      const { userId } = callerOf(request);
      const { invite_token: token } = request.body;
      const workspaceId = await guessInvite(context, request, token, () =>
        context.db.transaction().execute((trx) => acceptInvite(trx, token, userId, actorOf(request))),
      );
      return success('You are now a member of the workspace.', { workspace_id: workspaceId });
    },
  );
}

async function lockPendingInvite(trx: Transaction, workspaceId: number, inviteId: string): Promise<Invite> {
  const invite = await lockInvite(trx, workspaceId, requireId(inviteId, 'Invite'));
  if (!invite) throw notFound('Invite');
  if (invite.status === 'accepted') throw new HttpError(400, 'Invite already accepted.', { type: 'error' });
  return invite;
}
