import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { type FormSummary, formQuery, type Workspace, workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { isAtLeast, ROLE_NAMES, useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { showToast } from '../../ui/toasts.tsx';

type Moved = Pick<FormSummary, 'id' | 'title' | 'workspace_id'>;

/** Why a form of this workspace cannot be moved; null if it can. */
export function useMoveRefusal(form: Moved): string | null {
  const refusal = useRefusal('user');
  const others = useOthers(form);
  if (refusal !== null || others.some(mayHoldForms)) return refusal;
  return others.length === 0
    ? 'You are in no other workspace.'
    : 'In your other workspaces you are a viewer.';
}

interface MoveFormProps {
  form: Moved;
  isOpen: boolean;
  onClose(): void;
}

/** Moves a form to another workspace; the user must be allowed to edit both. */
export function MoveForm({ form, isOpen, onClose }: MoveFormProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Move to another workspace">
      <Question form={form} onClose={onClose} />
    </Dialog>
  );
}

function Question({ form, onClose }: Omit<MoveFormProps, 'isOpen'>) {
  const others = useOthers(form);
  const [target, setTarget] = useState(() => String(others.find(mayHoldForms)?.id ?? ''));
  const move = useAction(
    (workspace_id: number) =>
      api.post('/open/forms/{form}/move', { path: { form: form.id }, body: { workspace_id } }),
    {
      refresh: [
        formQuery(form.id).queryKey,
        ...[form.workspace_id, Number(target)].map((id) => ['workspaces', id, 'forms']),
      ],
      onDone: (_, id) => {
        onClose();
        const name = others.find((one) => one.id === id)?.name;
        showToast(
          name === undefined
            ? { text: 'The form is where it was.' }
            : { text: `The form is in ${name} now.`, undo: () => move.run(form.workspace_id) },
        );
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!move.isRunning) move.run(Number(target));
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field name="workspace_id" label="Workspace" errors={move.errors}>
        <Select className="w-full" value={target} onChange={(event) => setTarget(event.target.value)}>
          {others.map((workspace) => (
            <option key={workspace.id} value={workspace.id} disabled={!mayHoldForms(workspace)}>
              {workspace.name}
              {!mayHoldForms(workspace) && ` (you are a ${ROLE_NAMES[workspace.role].toLowerCase()})`}
            </option>
          ))}
        </Select>
      </Field>
      <p className="text-muted">
        Its answers, files and integrations go along, and its link stays the same. Members of that workspace
        will see it; members of this one no longer will.
      </p>
      <HoldDialog isHeld={move.isRunning} />
      <DialogActions>
        <DialogCancel />
        <Button type="submit" look="primary" isRunning={move.isRunning}>
          Move form
        </Button>
      </DialogActions>
    </form>
  );
}

function useOthers(form: Moved): Workspace[] {
  const { data } = useSuspenseQuery(workspacesQuery);
  return data.filter(({ id }) => id !== form.workspace_id);
}

function mayHoldForms({ role }: Workspace): boolean {
  return isAtLeast(role, 'user');
}
