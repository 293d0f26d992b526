import { useQueryClient } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRefusal } from '../lib/workspace.ts';
import { renameInAnswers } from '../responses/rename-option.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';

interface RenameAnswersProps {
  formId: string;
  propertyId: string;
  /** Name in answers that is no option any more. */
  from: string;
  /** Names of the present options. */
  options: readonly string[];
}

/** Renames answers that name no present option to the name of one. */
export function RenameAnswers({ formId, propertyId, from, options }: RenameAnswersProps) {
  const client = useQueryClient();
  const refusal = useRefusal('user');
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState(options[0] ?? '');
  const rename = useAction(() => renameInAnswers(client, Number(formId), [{ propertyId, from, to }]), {
    onDone: () => setOpen(false),
  });
  return (
    <>
      <IconButton
        label={`Rename “${from}” in answers`}
        size="sm"
        className="relative -my-1.5"
        disabledReason={refusal}
        onClick={() => setOpen(true)}
      >
        <PencilLine className="size-4" />
      </IconButton>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Rename “${from}” in answers`}
        description="No option is called so now. Answers that say so will say the name you choose. This cannot be taken back."
      >
        <Field name="to" label="New name">
          <Select value={to} onChange={(event) => setTo(event.target.value)}>
            {options.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <HoldDialog isHeld={rename.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button look="primary" isRunning={rename.isRunning} onClick={() => rename.run()}>
            Rename
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
