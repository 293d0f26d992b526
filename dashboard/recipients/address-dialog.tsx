import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { calledOf, type Recipient, recipientsKey } from './queries.ts';

interface AddressDialogProps {
  form: Form;
  recipient: Recipient;
  onClose(): void;
}

/** As the service names the address of the only recipient of a call. */
const NAME = 'recipients.0.email';

/** Corrects the address of a recipient. */
export function AddressDialog(props: AddressDialogProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title={`Address of ${calledOf(props.recipient)}`}>
      <AddressForm {...props} />
    </Dialog>
  );
}

function AddressForm({ form, recipient, onClose }: AddressDialogProps) {
  const path = { form: String(form.id) };
  const correct = useAction(
    (email: string) =>
      api.post('/open/forms/{form}/recipients/correct', {
        path,
        body: { recipients: [{ id: recipient.id, email }] },
      }),
    {
      refresh: [recipientsKey(path.form)],
      toast: ({ new_links, queued }) => resultOf(new_links > 0, queued > 0),
      onDone: onClose,
    },
  );
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={submitTexts((texts) => correct.run(texts[NAME] ?? ''))}
    >
      <Field name={NAME} label="E-mail address" errors={correct.errors}>
        <Input type="email" required maxLength={255} defaultValue={recipient.email ?? ''} />
      </Field>
      <p className="text-muted">
        If the link was mailed to the former address, it stops working. The recipient then gets another one,
        by mail while the form takes answers.
      </p>
      <HoldDialog isHeld={correct.isRunning} />
      <DialogActions>
        <DialogCancel />
        <Button type="submit" look="primary" isRunning={correct.isRunning}>
          Save
        </Button>
      </DialogActions>
    </form>
  );
}

function resultOf(hasNewLink: boolean, isMailed: boolean): string {
  if (isMailed) return 'The address was saved. A mail with another link is on its way to it.';
  return hasNewLink ? 'The address was saved. The recipient has another link now.' : 'The address was saved.';
}
