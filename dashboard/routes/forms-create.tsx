import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/read-form.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';

/** A blank form, as a draft. */
export function CreateForm({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const create = useAction(
    ({ title }: { title: string }) =>
      api.post('/open/forms', { body: { workspace_id: workspace.id, title, visibility: 'draft' } }),
    {
      refresh: [['workspaces', workspace.id, 'forms']],
      onDone: (form) =>
        navigate({
          to: '/workspaces/$workspaceId/forms/$formId',
          params: { workspaceId: String(workspace.id), formId: String(form.id) },
        }),
    },
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New form">
      <form className="grid gap-4" onSubmit={submitTexts(create.run)}>
        <Field
          name="title"
          label="Title"
          hint="People see it above the form. You can change it later."
          errors={create.errors}
        >
          <Input required maxLength={60} autoComplete="off" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isRunning={create.isRunning}>
            Create form
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
