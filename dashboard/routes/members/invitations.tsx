import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Invite, invitesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDistance } from '../../lib/format.ts';
import { ROLE_NAMES, useUser } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/table.tsx';

/** On phones the buttons stand below the address. */
const BESIDE = 'hidden sm:table-cell';
const WHO = 'w-full max-w-0';

/** Open invitations; nothing if there are none. */
export function Invitations({ workspaceId }: { workspaceId: number }) {
  const { data, error, refetch } = useQuery(invitesQuery(workspaceId));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const pending = (data ?? []).filter(({ status }) => status === 'pending');
  if (pending.length === 0) return null;
  return (
    <>
      <h2 className="mt-8 mb-3 font-semibold">Invited</h2>
      <Table label="Invited">
        <thead>
          <tr>
            <HeadCell className={WHO}>E-mail address</HeadCell>
            <HeadCell>Role</HeadCell>
            <HeadCell>Expires</HeadCell>
            <HeadCell className={BESIDE}>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {pending.map((invite) => (
            <InviteRow key={invite.id} invite={invite} />
          ))}
        </tbody>
      </Table>
    </>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const { service_sends_mail } = useUser();
  const [link, setLink] = useState<string | null>(null);
  const path = { workspaceId: invite.workspace_id, inviteId: invite.id };
  const refresh = [invitesQuery(invite.workspace_id).queryKey];
  const resend = useAction(
    () => api.post('/open/workspaces/{workspaceId}/invites/{inviteId}/resend', { path }),
    {
      refresh,
      refreshesAnyway: true,
      toast: ({ invite_link }) =>
        invite_link ? 'The link works for another 7 days.' : 'The mail goes out again.',
      onDone: ({ invite_link }) => setLink(invite_link ?? null),
    },
  );
  const cancel = useAction(
    () => api.delete('/open/workspaces/{workspaceId}/invites/{inviteId}/cancel', { path }),
    { refresh, refreshesAnyway: true, toast: `The link for ${invite.email} no longer works.` },
  );
  const actions = (
    <>
      <Button size="sm" isRunning={resend.isRunning} onClick={() => resend.run()}>
        {service_sends_mail ? 'Send again' : 'Renew and get link'}
      </Button>
      <Button size="sm" look="quiet" isRunning={cancel.isRunning} onClick={() => cancel.run()}>
        Cancel
      </Button>
    </>
  );
  const isOver = new Date(invite.valid_until) < new Date();
  return (
    <Row>
      <Cell className={WHO}>
        <span className="block truncate" title={invite.email}>
          {invite.email}
        </span>
        {invite.mail_failed && (
          <span className="block max-w-prose text-warn">
            The mail server did not take the mail yet. It is tried again; if it stays so, tell whoever runs
            this server.
          </span>
        )}
        <span className="mt-1 flex flex-wrap gap-2 sm:hidden">{actions}</span>
      </Cell>
      <Cell>{ROLE_NAMES[invite.role]}</Cell>
      <Cell className="whitespace-nowrap text-muted">
        {isOver ? <Badge tone="warn">Expired</Badge> : formatDistance(invite.valid_until)}
      </Cell>
      <Cell className={BESIDE}>
        <span className="flex justify-end gap-2">{actions}</span>
        <Dialog
          isOpen={link !== null}
          onClose={() => setLink(null)}
          title="Invitation link"
          description={`Hand it to ${invite.email}. Whoever has it can join.`}
          isShownOnce
        >
          <CopyField text={link ?? ''} label="Invitation link" />
        </Dialog>
      </Cell>
    </Row>
  );
}
