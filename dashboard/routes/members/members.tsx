import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Ellipsis, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { isVisible } from '../../../fields/texts/visible.ts';
import { api } from '../../api/client.ts';
import { type Member, membersQuery, type Role, workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { useChoice } from '../../api/use-choice.ts';
import { formatDay } from '../../lib/format.ts';
import { A_ROLE, ROLE_MEANINGS, ROLE_NAMES, useRefusal, useUser, useWorkspace } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Load } from '../../ui/load.tsx';
import { Menu, MenuChoice, MenuItem } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ActionsHead, Cell, HeadCell, Row, Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const ROLES: Role[] = ['admin', 'user', 'readonly'];

export function Members() {
  const workspace = useWorkspace();
  const refusal = useRefusal('admin');
  const members = useQuery(membersQuery(workspace.id));
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      description="Who works in this workspace, and what they may do."
      actions={
        <Button
          look="primary"
          icon={<UserPlus className="size-4" />}
          disabledReason={refusal}
          onClick={() => setInviting(true)}
        >
          Invite
        </Button>
      }
    >
      <Load query={members} skeleton={<MemberTable rows={null} />}>
        {(rows) => <MemberTable rows={rows} />}
      </Load>
      {refusal === null && <Invitations workspaceId={workspace.id} />}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function MemberTable({ rows }: { rows: Member[] | null }) {
  return (
    <Table label="Members">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>Role</HeadCell>
          <HeadCell className="hidden sm:table-cell">Since</HeadCell>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === null ? (
          <SkeletonRows rows={3} columns={4} />
        ) : (
          rows.map((member) => <MemberRow key={member.id} member={member} />)
        )}
      </tbody>
    </Table>
  );
}

function MemberRow({ member }: { member: Member }) {
  const user = useUser();
  const workspace = useWorkspace();
  const refusal = useRefusal('admin');
  const [isRemoving, setRemoving] = useState(false);
  const isMe = member.id === user.id;
  const name = isVisible(member.name) ? member.name : member.email;
  const path = { workspaceId: workspace.id, userId: member.id };
  const role = useChoice(
    member.role,
    (chosen: Role) =>
      api.put('/open/workspaces/{workspaceId}/users/{userId}/update-role', { path, body: { role: chosen } }),
    {
      refresh: [workspacesQuery.queryKey],
      refreshesAnyway: true,
      toast: (saved) => `${name} is now ${A_ROLE[saved]}.`,
    },
  );
  const remove = useAction(
    () => api.delete('/open/workspaces/{workspaceId}/users/{userId}/remove', { path }),
    {
      // Removing a member also cancels their invitations, and changes the number of members shown elsewhere.
      refresh: [workspacesQuery.queryKey],
      refreshesAnyway: true,
      toast: `${name} was removed.`,
      onDone: () => setRemoving(false),
    },
  );
  return (
    <Row>
      <Cell>
        <span className="flex items-center gap-2">
          <UserText text={name} className="max-w-64 font-medium" />
          {isMe && <Badge tone="accent">You</Badge>}
        </span>
        <span className="block max-w-64 truncate text-muted" title={member.email}>
          {member.email}
        </span>
      </Cell>
      <Cell>
        {refusal === null && !isMe ? (
          // A menu, as in a closed list the arrow keys would give every role that they pass.
          <Menu
            align="start"
            trigger={
              <Button aria-label={`Role of ${name}: ${ROLE_NAMES[role.value]}`}>
                {ROLE_NAMES[role.value]}
                <ChevronDown aria-hidden="true" className="size-4 text-muted" />
              </Button>
            }
          >
            <MenuChoice
              value={role.value}
              options={ROLES.map((one) => [one, ROLE_NAMES[one]] as const)}
              onChange={(chosen) => chosen !== role.value && role.choose(chosen)}
            />
          </Menu>
        ) : (
          <span title={ROLE_MEANINGS[member.role]}>{ROLE_NAMES[member.role]}</span>
        )}
      </Cell>
      <Cell className="hidden whitespace-nowrap text-muted sm:table-cell">{formatDay(member.joined_at)}</Cell>
      <Cell className="text-end">
        {!isMe && (
          <Menu
            trigger={
              <IconButton label={`More for ${name}`}>
                <Ellipsis className="size-4" />
              </IconButton>
            }
          >
            <MenuItem
              icon={<UserMinus />}
              isDangerous
              disabledReason={refusal}
              onSelect={() => setRemoving(true)}
            >
              Remove from workspace
            </MenuItem>
          </Menu>
        )}
        <ConfirmDialog
          isOpen={isRemoving}
          onClose={() => setRemoving(false)}
          title={`Remove ${name}?`}
          action="Remove"
          typed={name}
          isRunning={remove.isRunning}
          onConfirm={() => remove.run()}
        >
          <p>
            They lose access at once, and the links to exports they made end. Forms they made stay in the
            workspace, and they can be invited again.
          </p>
          <p>
            Links by which spreadsheets and reports read responses go on working for everybody who knows them.
            Delete those that this person made or knows under <strong>Integrations</strong> of each form. The{' '}
            <strong>Audit log</strong> says, under <strong>Live tables</strong>, which ones they made.
          </p>
        </ConfirmDialog>
      </Cell>
    </Row>
  );
}
