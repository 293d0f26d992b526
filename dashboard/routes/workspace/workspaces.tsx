import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { LayoutGrid, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { ROLE_NAMES } from '../../lib/workspace.ts';
import { WorkspaceIcon } from '../../shell/workspace-icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { UserText } from '../../ui/user-text.tsx';

export function Workspaces() {
  const { data: workspaces } = useSuspenseQuery(workspacesQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setCreating(true)}>
      New workspace
    </Button>
  );
  return (
    <Page
      title="Workspaces"
      description="Forms, and the people who work on them, by team or by client."
      actions={create}
    >
      {workspaces.length === 0 ? (
        <EmptyState icon={<LayoutGrid />} title="You are in no workspace" action={create}>
          Make one for your forms, or ask somebody to invite you to theirs.
        </EmptyState>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {workspaces.map((workspace) => (
            <li key={workspace.id} className="min-w-0">
              <Link
                to="/workspaces/$workspaceId/forms"
                params={{ workspaceId: String(workspace.id) }}
                className="flex items-center gap-3 rounded-xl border border-line bg-surface p-4 transition-colors hover:bg-hover"
              >
                <WorkspaceIcon workspace={workspace} />
                <span className="grid min-w-0 flex-1">
                  <UserText text={workspace.name} className="font-medium" />
                  <span className="text-muted">{formatCount(workspace.users_count, 'member')}</span>
                </span>
                <Badge>{ROLE_NAMES[workspace.role]}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <CreateWorkspace isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function CreateWorkspace({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction(
    (body: { name: string; icon: string }) => api.post('/open/workspaces/create', { body }),
    {
      refresh: [workspacesQuery.queryKey],
      leadsTo: ({ workspace_id }) =>
        navigate({
          to: '/workspaces/$workspaceId/forms',
          params: { workspaceId: String(workspace_id) },
        }),
    },
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New workspace">
      <form className="grid grid-cols-1 gap-4" onSubmit={submitTexts(create.run)}>
        <Field name="name" label="Name" errors={create.errors}>
          <Input required maxLength={255} />
        </Field>
        <Field
          name="icon"
          label="Icon"
          hint="An emoji, or the address of a picture. May be left empty."
          errors={create.errors}
        >
          <Input maxLength={255} placeholder="🌱" />
        </Field>
        <HoldDialog isHeld={create.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={create.isRunning}>
            Create workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
