import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type FormSummary, formQuery, keysOfForm } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../lib/format.ts';
import { setAsideCountQuery } from '../responses/apart/set-aside.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/states.tsx';

interface FormDialogProps {
  form: Pick<FormSummary, 'id' | 'workspace_id' | 'title' | 'submissions_count'>;
  isOpen: boolean;
  onClose(): void;
}

export function NewLinkDialog({ form, isOpen, onClose }: FormDialogProps) {
  const renew = useAction(
    () => api.put('/open/forms/{form}/regenerate-link/{option}', { path: { form: form.id, option: 'uuid' } }),
    {
      refresh: keysOfForm(form),
      toast: 'The form has a new link.',
      onDone: onClose,
    },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Give this form a new link?"
      action="Regenerate link"
      typed={form.title}
      isRunning={renew.isRunning}
      onConfirm={() => renew.run()}
    >
      <p>The present link, and any it had before, stop working at once, wherever they were shared.</p>
    </ConfirmDialog>
  );
}

/** @param onDeleted leaves the screens of the form */
export function DeleteFormDialog({
  form,
  isOpen,
  onClose,
  onDeleted,
}: FormDialogProps & { onDeleted?: (() => void | Promise<void>) | undefined }) {
  const client = useQueryClient();
  const { data: paid = 0 } = useQuery({ ...setAsideCountQuery(String(form.id), 'paid'), enabled: isOpen });
  const remove = useAction(() => api.delete('/open/forms/{form}', { path: { form: form.id } }), {
    toast: 'The form was deleted.',
    onDone: async () => {
      onClose();
      await onDeleted?.();
      client.removeQueries({ queryKey: formQuery(form.id).queryKey });
      await client.invalidateQueries({ queryKey: ['workspaces', form.workspace_id, 'forms'] });
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this form for good?"
      action="Delete for good"
      typed={form.title}
      isRunning={remove.isRunning}
      onConfirm={() => remove.run()}
    >
      <p>
        With its {formatCount(form.submissions_count, 'answer')}, files and integrations. This cannot be
        undone.
      </p>
      {paid > 0 && (
        <Notice tone="warn">
          With {formatCount(paid, 'response')} that {paid === 1 ? 'is' : 'are'} paid, but not taken in:
          nothing here will tell of the money any more.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
