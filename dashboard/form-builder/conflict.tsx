import { useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatDistance } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/states.tsx';
import { draftQuery, type FormDraft } from './draft.ts';
import type { Autosave } from './use-autosave.ts';

interface ConflictProps {
  formId: number;
  autosave: Autosave;
  /** What somebody else saved is gone on with. */
  onTake(draft: FormDraft): void;
}

/** Two people change the same form: one of the two goes on. */
export function Conflict({ formId, autosave, onTake }: ConflictProps) {
  const { data: theirs } = useQuery({
    ...draftQuery(formId),
    queryKey: ['forms', String(formId), 'their-draft'],
  });
  const take = useAction(() => api.get('/open/forms/{form}/draft', { path: { form: formId } }), {
    onDone: onTake,
  });
  const who = theirs?.saved_by?.name ?? 'Somebody else';
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2" role="alert">
        <p className="min-w-0 flex-1 basis-72">
          <bdi>{who}</bdi> saved changes to this form {theirs ? formatDistance(theirs.saved_at) : 'meanwhile'}
          . Yours are not saved.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" isRunning={take.isRunning} onClick={() => take.run()}>
            Take theirs
          </Button>
          <Button size="sm" onClick={() => void autosave.overwrite()}>
            Keep mine
          </Button>
        </div>
      </div>
    </Notice>
  );
}

interface DiscardProps {
  formId: number;
  autosave: Autosave;
  isOpen: boolean;
  onClose(): void;
  onDone(form: Form): void;
}

/** Goes back to what is published. */
export function Discard({ formId, autosave, isOpen, onClose, onDone }: DiscardProps) {
  const path = { form: formId };
  const discard = useAction(
    async () => {
      // A save that comes after would bring the draft back.
      await autosave.flush();
      await api.delete('/open/forms/{form}/draft', { path }).catch(ignoreMissing);
      return api.get('/open/forms/{form}', { path });
    },
    { onDone },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Throw the changes away?"
      action="Throw away"
      isRunning={discard.isRunning}
      onConfirm={() => discard.run()}
    >
      <p>The form is again what is published. You can undo that as long as you stay here.</p>
    </ConfirmDialog>
  );
}

/** Thrown away already. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
