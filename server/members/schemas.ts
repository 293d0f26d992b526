import Type from 'typebox';
import { ROLES } from '../access/abilities.ts';
import type { Access } from '../access/guard.ts';
import { NewAddress } from '../accounts/schemas.ts';
import { Success } from '../http/schemas/success.ts';

const Role = Type.Enum(ROLES);
const Time = Type.String({ format: 'date-time' });

export const tags = ['Workspace members'];

/** Access to change members and invites. */
export const managing = {
  kind: 'workspace',
  ability: 'workspace-users-write',
  role: 'admin',
  in: 'path',
} as const satisfies Access;

export const MemberParams = Type.Object({ workspaceId: Type.String(), userId: Type.String() });
export const InviteParams = Type.Object({ workspaceId: Type.String(), inviteId: Type.String() });

export const AddMemberBody = Type.Object({
  email: NewAddress,
  role: Role,
});
export const LastAdmin = Type.Object(
  { message: Type.String(), errors: Type.Record(Type.String(), Type.Array(Type.String())) },
  { description: 'The last admin of a workspace cannot leave.' },
);
export const UsedInvite = InviteProblem('The invite was accepted already, or can no longer be read.');
export const InvitedAlready = InviteProblem(
  'The body cannot be read, or the address has been invited already.',
);
export const UnusableInvite = InviteProblem(
  'The body cannot be read, or the invite is unknown or has expired.',
);
export const RoleBody = Type.Object({ role: Role });
export const AcceptInviteBody = Type.Object({ invite_token: Type.String({ minLength: 1, maxLength: 255 }) });

export const MemberList = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    email: Type.String(),
    role: Role,
    created_at: Type.String({ format: 'date-time', description: 'When the account was created.' }),
    joined_at: Type.String({ format: 'date-time', description: 'When the user joined the workspace.' }),
    pivot: Type.Object({ workspace_id: Type.Integer(), user_id: Type.Integer(), role: Role }),
  }),
);

const Invite = {
  id: Type.Integer(),
  workspace_id: Type.Integer(),
  email: Type.String(),
  role: Role,
  status: Type.Enum(['pending', 'accepted']),
  valid_until: Time,
  created_at: Time,
  updated_at: Time,
};
const InviteLink = Type.Optional(
  Type.String({ description: 'Link to hand to the invited person; only where no mail is set up.' }),
);

export const InviteList = Type.Array(
  Type.Object({
    ...Invite,
    mail_failed: Type.Optional(
      Type.Literal(true, {
        description: 'The mail with the link could not be sent yet; it is tried again. Absent otherwise.',
      }),
    ),
  }),
);
export const MemberAdded = Type.Object({
  ...Success.properties,
  invite: Type.Optional(Type.Object(Invite)),
  invite_link: InviteLink,
});
export const InviteResent = Type.Object({ ...Success.properties, invite_link: InviteLink });
export const InviteAccepted = Type.Object({ ...Success.properties, workspace_id: Type.Integer() });

function InviteProblem(description: string) {
  const type = Type.Optional(Type.Literal('error', { description: 'Only when the invite is the problem.' }));
  return Type.Object({ type, message: Type.String() }, { description });
}
