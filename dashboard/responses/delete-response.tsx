import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { formatMoment } from '../lib/format.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { putIntoLists, type Submission } from './queries.ts';

interface DeleteResponseProps {
  formId: string;
  response: Submission;
  isOpen: boolean;
  onClose(): void;
  onDeleted(): void;
}

export function DeleteResponse({ formId, response, isOpen, onClose, onDeleted }: DeleteResponseProps) {
  const client = useQueryClient();
  const remove = useAction(
    () =>
      api.delete('/open/forms/{form}/submissions/{submissionId}', {
        path: { form: formId, submissionId: response.id },
      }),
    {
      toast: 'The response was deleted.',
      onDone: () => {
        onDeleted();
        putIntoLists(client, formId, new Set([response.id]), null);
        void client.invalidateQueries({ queryKey: ['forms', formId], exact: true });
      },
    },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this response?"
      action="Delete response"
      typed={String(response.id)}
      isRunning={remove.isRunning}
      onConfirm={remove.run}
    >
      <p>
        What was sent on {formatMoment(response.created_at)} is deleted for everybody, files included. This
        cannot be taken back.
      </p>
    </ConfirmDialog>
  );
}
