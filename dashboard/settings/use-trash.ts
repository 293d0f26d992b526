import { api } from '../api/client.ts';
import { type FormSummary, keysOfForm } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { showToast } from '../ui/toasts.tsx';

/**
 * Moves a form to the trash and restores it.
 * @param onTrashed leaves the screens of the form
 */
export function useTrash(
  form: Pick<FormSummary, 'id' | 'workspace_id'>,
  onTrashed?: (() => void | Promise<void>) | undefined,
) {
  const path = { form: form.id };
  const refresh = keysOfForm(form);
  const restore = useAction(() => api.delete('/open/forms/{form}/trash', { path }), {
    refresh,
    toast: 'The form is back.',
  });
  const trash = useAction(() => api.post('/open/forms/{form}/trash', { path }), {
    refresh,
    async onDone() {
      await onTrashed?.();
      showToast({ text: 'The form is in the trash.', undo: () => restore.run() });
    },
  });
  return { trash, restore };
}
