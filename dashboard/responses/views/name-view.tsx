import type { Errors } from '../../api/client.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/states.tsx';

/** Characters; limit of the API. */
const MAX_NAME = 100;

interface NameViewProps {
  title: string;
  description?: string;
  action: string;
  /** The present name. */
  name?: string;
  save: { run(name: string): void; isRunning: boolean; errors: Errors };
  onClose(): void;
}

/** Asks for the name of a view. */
export function NameView({ title, description, action, name, save, onClose }: NameViewProps) {
  const { name: _, ...others } = save.errors;
  const problems = Object.values(others).flat();
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      <form onSubmit={submitTexts<'name'>((texts) => save.run(texts.name))} className="grid gap-4">
        {problems.length > 0 && <Notice tone="bad">{problems.join(' ')}</Notice>}
        <Field name="name" label="Name" errors={save.errors}>
          <Input required maxLength={MAX_NAME} defaultValue={name} autoComplete="off" />
        </Field>
        <HoldDialog isHeld={save.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={save.isRunning}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
