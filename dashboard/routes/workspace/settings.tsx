import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { isWithin } from '../../lib/place.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useRefusal, useUser, useWorkspace } from '../../lib/workspace.ts';
import { TypedForms, useTypedForm } from '../../shell/typed-forms.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { WorkspaceLimits } from './limits.tsx';
import { WorkspaceMailServer } from './mail-server.tsx';
import { WorkspacePayments } from './payments.tsx';

export function WorkspaceSettings() {
  return (
    <Page title="Workspace settings" width="narrow">
      <div className="grid grid-cols-1 gap-5">
        <TypedForms>
          <NameAndIcon />
          <WorkspaceLimits />
          <WorkspaceMailServer />
          <WorkspacePayments />
        </TypedForms>
        <Leave />
        <Delete />
      </div>
    </Page>
  );
}

function NameAndIcon() {
  const workspace = useWorkspace();
  const refusal = useRefusal('admin');
  const typed = useTypedForm('The name and icon you typed would be lost.');
  const save = useAction(
    (body: { name: string; icon: string }) =>
      typed.saving(api.put('/open/workspaces/{workspaceId}', { path: { workspaceId: workspace.id }, body })),
    { refresh: [workspacesQuery.queryKey], toast: 'Saved.' },
  );
  return (
    <Card title="Name and icon">
      <form className="grid grid-cols-1 gap-4" onInput={typed.onInput} onSubmit={submitTexts(save.run)}>
        <Field name="name" label="Name" errors={save.errors}>
          <Input required maxLength={255} defaultValue={workspace.name} disabled={refusal !== null} />
        </Field>
        <Field name="icon" label="Icon" hint="An emoji, or the address of a picture." errors={save.errors}>
          <Input maxLength={255} defaultValue={workspace.icon} disabled={refusal !== null} />
        </Field>
        <div>
          <Button type="submit" look="primary" isRunning={save.isRunning} disabledReason={refusal}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Leave() {
  const workspace = useWorkspace();
  const user = useUser();
  const gone = useGone();
  const [isOpen, setOpen] = useState(false);
  const leave = useAction(
    () => api.post('/open/workspaces/{workspaceId}/leave', { path: { workspaceId: workspace.id } }),
    { onDone: () => gone(workspace.id), toast: `You left ${workspace.name}.` },
  );
  return (
    <Card
      title="Leave"
      description="You lose access to its forms and answers. The last admin cannot leave."
      actions={
        <>
          <Button onClick={() => setOpen(true)}>Leave workspace</Button>
          <ConfirmDialog
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            title={`Leave ${workspace.name}?`}
            action="Leave workspace"
            typed={workspace.name}
            isRunning={leave.isRunning}
            onConfirm={() => leave.run()}
          >
            <p>To come back, {user.name}, you need somebody to invite you.</p>
          </ConfirmDialog>
        </>
      }
    />
  );
}

function Delete() {
  const workspace = useWorkspace();
  const refusal = useRefusal('admin');
  const gone = useGone();
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(
    () => api.delete('/open/workspaces/{workspaceId}', { path: { workspaceId: workspace.id } }),
    { onDone: () => gone(workspace.id), toast: `${workspace.name} was deleted.` },
  );
  return (
    <Card
      title="Delete"
      description="With all its forms, answers, files and integrations, for everybody."
      actions={
        <>
          <Button look="danger" disabledReason={refusal} onClick={() => setOpen(true)}>
            Delete workspace
          </Button>
          <ConfirmDialog
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            title="Delete this workspace?"
            action="Delete workspace"
            typed={workspace.name}
            isRunning={remove.isRunning}
            onConfirm={() => remove.run()}
          >
            <p>All its forms, answers, files and integrations go with it. This cannot be undone.</p>
          </ConfirmDialog>
        </>
      }
    />
  );
}

/** Leaves a deleted workspace before its screens fail to load; who has gone elsewhere by then stays there. */
function useGone() {
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async (id: number) => {
    const others = await api.get('/open/workspaces');
    if (isWithin(router, `/workspaces/${id}`)) await navigate({ to: '/workspaces', ignoreBlocker: true });
    client.setQueryData(workspacesQuery.queryKey, others);
    client.removeQueries({ queryKey: [...workspacesQuery.queryKey, id] });
  };
}
