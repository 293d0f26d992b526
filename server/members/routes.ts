import type { FastifyRequest } from 'fastify';
import { callerOf, workspaceOf } from '../access/guard.ts';
import { WorkspaceParams } from '../access/path-params.ts';
import { requireAccountAddress } from '../accounts/email.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { Success, success } from '../http/schemas/success.ts';
import { type Added, addMember } from './add-member.ts';
import { changeRole, removeMember } from './change-membership.ts';
import { registerInviteRoutes } from './invite-routes.ts';
import { presentInvite } from './present-invite.ts';
import { isMember, listMembers, type Member } from './queries.ts';
import {
  AddMemberBody,
  InvitedAlready,
  LastAdmin,
  MemberAdded,
  MemberList,
  MemberParams,
  managing,
  RoleBody,
  tags,
} from './schemas.ts';

export function registerMemberRoutes(app: App, context: Context): void {
  app.get(
    '/open/workspaces/:workspaceId/users',
    {
      config: {
        access: { kind: 'workspace', ability: 'workspace-users-read', role: 'readonly', in: 'path' },
      },
      schema: {
        tags,
        summary: 'List the members of a workspace',
        params: WorkspaceParams,
        response: { 200: MemberList },
      },
    },
    async (request) => {
      const { id } = workspaceOf(request);
      return (await listMembers(context.db, id)).map((member) => presentMember(member, id));
    },
  );

  app.post(
    '/open/workspaces/:workspaceId/users/add',
    {
      config: { access: managing },
      schema: {
        tags,
        summary: 'Add a member by e-mail address, or invite the address',
        params: WorkspaceParams,
        body: AddMemberBody,
        response: { 200: MemberAdded, 400: InvitedAlready },
      },
    },
    async (request) => {
      const { email, role } = request.body;
      const { id } = workspaceOf(request);
      return presentAdded(
        await addMember(context, id, { email: requireAccountAddress(email), role }, actorOf(request)),
      );
    },
  );

  app.put(
    '/open/workspaces/:workspaceId/users/:userId/update-role',
    {
      config: { access: managing },
      // Strangers get 404 before the body is checked.
      preValidation: requireMember,
      schema: {
        tags,
        summary: 'Change the role of a member',
        params: MemberParams,
        body: RoleBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      const { id } = workspaceOf(request);
      await changeRole(
        context.db,
        id,
        requireId(request.params.userId, 'User'),
        request.body.role,
        actorOf(request),
      );
      return success('User role changed successfully.');
    },
  );

  app.delete(
    '/open/workspaces/:workspaceId/users/:userId/remove',
    {
      config: { access: managing },
      schema: {
        tags,
        summary: 'Remove a member',
        params: MemberParams,
        response: { 200: Success, 422: LastAdmin },
      },
    },
    async (request) => {
      const { id } = workspaceOf(request);
      await removeMember(context.db, id, requireId(request.params.userId, 'User'), actorOf(request));
      return success('User removed from workspace successfully.');
    },
  );

  app.post(
    '/open/workspaces/:workspaceId/leave',
    {
      config: {
        access: { kind: 'workspace', ability: 'workspace-users-write', role: 'readonly', in: 'path' },
      },
      schema: {
        tags,
        summary: 'Leave a workspace',
        params: WorkspaceParams,
        response: { 200: Success, 422: LastAdmin },
      },
    },
    async (request) => {
      const { id } = workspaceOf(request);
      await removeMember(context.db, id, callerOf(request).userId, actorOf(request));
      return success('You have left the workspace successfully.');
    },
  );

  registerInviteRoutes(app, context);

  async function requireMember(request: FastifyRequest): Promise<void> {
    const userId = requireId((request.params as { userId: string }).userId, 'User');
    if (!(await isMember(context.db, workspaceOf(request).id, userId))) throw notFound('User');
  }
}

function presentMember(member: Member, workspaceId: number) {
  const { id, name, email, role } = member;
  const created_at = member.created_at.toISOString();
  const joined_at = member.joined_at.toISOString();
  const pivot = { workspace_id: workspaceId, user_id: id, role };
  return { id, name, email, role, created_at, joined_at, pivot };
}

function presentAdded(added: Added) {
  switch (added.outcome) {
    case 'added':
      return success('User has been successfully added to workspace.');
    case 'already-member':
      return success('User is already in workspace.');
    case 'invited': {
      const invite = presentInvite(added.invite);
      if (added.link === null) return success('Registration invitation email sent to user.', { invite });
      return success('Invitation created. Hand this link to the user.', { invite, invite_link: added.link });
    }
  }
}
