import { cut } from '../../fields/texts/cut.ts';
import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Textarea } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { type LinkSettings, type Recipient, recipientsKey } from './queries.ts';
import { FIRST_TEXTS, type MailKind } from './words.ts';

interface MailDialogProps {
  kind: MailKind;
  /** null for everybody whom this kind of mail is for. */
  recipient: Recipient | null;
  onClose(): void;
  form: Form;
  settings: LinkSettings;
}

const MAX_SUBJECT = 255;
const MAX_ADDRESS = 254;
/** Of one form. */
const MOST_PER_HOUR = 1_000;
const TITLES: Record<MailKind, string> = { invitation: 'Invite by mail', reminder: 'Remind by mail' };
const AUDIENCES: Record<MailKind, string> = {
  invitation: 'To everybody with an address to whom no mail was sent yet.',
  reminder: 'To everybody who was invited, has not answered, and did not refuse mails.',
};

/** Writes and sends a mail; the text is kept for the next time. */
export function MailDialog({ kind, recipient, onClose, form, settings }: MailDialogProps) {
  const path = { form: String(form.id) };
  const send = useAction(
    (texts: { subject: string; text: string; reply_to: string }) =>
      api.post('/open/forms/{form}/recipients/mails', {
        path,
        body: { kind, ...texts, ...(recipient && { ids: [recipient.id] }) },
      }),
    {
      refresh: [recipientsKey(path.form)],
      toast: ({ queued }) =>
        queued === 0 ? 'There is nobody to write to.' : `${formatCount(queued, 'mail')} on the way.`,
      onDone: onClose,
    },
  );
  const count = recipient ? 1 : settings.mails[kind];
  const pace = count > MOST_PER_HOUR ? ` At most ${formatNumber(MOST_PER_HOUR)} go out in an hour.` : '';
  const first = FIRST_TEXTS[kind];
  const { subject, text } = settings[kind] ?? {
    ...first,
    subject: cut(
      first.subject.replace('{form}', () => form.title),
      MAX_SUBJECT,
    ),
  };
  const replyTo = (settings[kind] ?? settings.invitation)?.reply_to ?? '';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={TITLES[kind]}
      description={
        recipient
          ? `To ${recipient.name ?? recipient.email}.`
          : `${AUDIENCES[kind]} At present: ${formatCount(count, 'mail')}.${pace}`
      }
      isShownOnce
    >
      <form className="grid gap-4" onSubmit={submitTexts(send.run)}>
        {!settings.mail_is_set_up && (
          <Notice tone="warn">
            No mail server is set up here. Admins can set one in the settings of the workspace; links can be
            copied and handed over in any other way.
          </Notice>
        )}
        {send.errors.kind && <Notice tone="bad">{send.errors.kind.join(' ')}</Notice>}
        <Field name="subject" label="Subject" errors={send.errors}>
          <Input required maxLength={MAX_SUBJECT} defaultValue={subject} />
        </Field>
        <Field
          name="text"
          label="Text"
          hint="{name} becomes the name, {link} the personal link. A line to get no more mails is added below."
          errors={send.errors}
        >
          <Textarea required rows={10} maxLength={10_000} defaultValue={text} />
        </Field>
        <Field
          name="reply_to"
          label="Replies go to"
          hint="Left empty, they go to the address that mails are sent from."
          errors={send.errors}
        >
          <Input type="email" maxLength={MAX_ADDRESS} defaultValue={replyTo} />
        </Field>
        <HoldDialog isHeld={send.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button
            type="submit"
            look="primary"
            isRunning={send.isRunning}
            disabledReason={settings.mail_is_set_up ? undefined : 'No mail server is set up here.'}
          >
            {recipient ? 'Send' : `Send ${formatCount(count, 'mail')}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
