import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { calledOf, type Recipient, recipientsKey } from './queries.ts';

interface RemovalDialogProps {
  form: Form;
  recipient: Recipient;
  onClose(): void;
}

/** Asks before a recipient is removed. */
export function RemovalDialog({ form, recipient, onClose }: RemovalDialogProps) {
  const path = { form: String(form.id) };
  const called = calledOf(recipient);
  const remove = useAction(
    () => api.post('/open/forms/{form}/recipients/delete', { path, body: { ids: [recipient.id] } }),
    { refresh: [recipientsKey(path.form)], toast: `${called} was removed.`, onDone: onClose },
  );
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${called}?`}
      action="Remove"
      isRunning={remove.isRunning}
      onConfirm={() => remove.run()}
    >
      <p>The link leads nowhere from then on. What was answered by it stays.</p>
    </ConfirmDialog>
  );
}
