import type { Form } from '../api/queries.ts';
import { formatMoment } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/states.tsx';
import { useTrash } from './use-trash.ts';

/** Shown above all screens of a form in the trash. */
export function TrashNotice({ form }: { form: Form }) {
  const refusal = useRefusal('user');
  const { restore } = useTrash(form);
  if (!form.trash_ends_at) return null;
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <span className="flex flex-wrap items-center justify-between gap-3">
          <span>
            The form is in the trash. On {formatMoment(form.trash_ends_at)} it is deleted with its answers.
          </span>
          <Button disabledReason={refusal} isRunning={restore.isRunning} onClick={() => restore.run()}>
            Restore
          </Button>
        </span>
      </Notice>
    </div>
  );
}
