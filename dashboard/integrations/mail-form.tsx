import { type FormEvent, useContext } from 'react';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { HtmlEditor } from '../form-builder/texts/html-editor.tsx';
import { Field } from '../ui/field.tsx';
import { HoldContext } from '../ui/hold.ts';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { AnswersField } from './answers-field.tsx';
import { CheckField } from './check-field.tsx';
import { Fallbacks } from './fallbacks.tsx';
import { FormEnd } from './form-end.tsx';
import { emailFields, type MailDraft, type MailId } from './mail-draft.ts';
import { MentionLine } from './mention-line.tsx';
import { type Kept, useDraft } from './use-draft.ts';

interface MailFormProps extends Kept<MailDraft> {
  id: MailId;
  start: MailDraft;
  /** Title of the form, the default of the subject. */
  title: string;
  /** Whether respondents may edit their answers. */
  isEditable: boolean;
  properties: readonly Property[];
  errors: Errors;
  isSaving: boolean;
  action: string;
  onSave(draft: MailDraft): void;
}

/** All settings of a mail. */
export function MailForm({
  id,
  start,
  title,
  isEditable,
  properties,
  errors,
  isSaving,
  action,
  onSave,
  ...kept
}: MailFormProps) {
  const { draft, change, question } = useDraft(start, kept);
  const { isHeld } = useContext(HoldContext);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) onSave(draft);
  };
  return (
    <form className="grid grid-cols-1 gap-6" onSubmit={submit}>
      {id === 'email' ? (
        <Notified draft={draft} properties={properties} errors={errors} onChange={change} />
      ) : (
        <Confirmed draft={draft} properties={properties} errors={errors} onChange={change} />
      )}
      <div className="grid grid-cols-1 gap-2">
        <MentionLine
          label="Subject"
          value={draft.subject}
          placeholder={title}
          fields={properties}
          hint="The title of the form when it is empty."
          problems={errors['data.subject'] ?? []}
          onChange={(subject) => change({ subject })}
        />
        <Fallbacks
          of="subject"
          text={draft.subject}
          fields={properties}
          onChange={(subject) => change({ subject })}
        />
      </div>
      {id === 'email_confirmation' && (
        <div className="grid grid-cols-1 gap-2">
          <HtmlEditor
            label="Text"
            value={draft.text}
            isReadOnly={isHeld}
            fields={properties}
            problems={errors['data.text'] ?? []}
            onChange={(text) => change({ text: text ?? '' })}
          />
          <Fallbacks of="text" text={draft.text} fields={properties} onChange={(text) => change({ text })} />
        </div>
      )}
      <AnswersField
        id={id}
        draft={draft}
        properties={properties}
        problems={[...(errors['data.fields'] ?? []), ...(errors['data.include_answers'] ?? [])]}
        onChange={change}
      />
      {id === 'email_confirmation' && (
        <CheckField
          label="With the link to change the answers"
          hint={
            isEditable
              ? 'Whoever reads the mail can see and change what was sent.'
              : 'Comes into the mail once people may change their answers: Settings → Submissions.'
          }
          checked={draft.hasEditLink}
          problems={errors['data.edit_link']}
          onChange={({ target }) => change({ hasEditLink: target.checked })}
        />
      )}
      <FormEnd
        conditions={draft.conditions}
        properties={properties}
        errors={errors}
        isSaving={isSaving}
        action={action}
        onChange={change}
      />
      {question}
    </form>
  );
}

interface PartProps {
  draft: MailDraft;
  properties: readonly Property[];
  errors: Errors;
  onChange(part: Partial<MailDraft>): void;
}

/** Recipients of a notification. */
function Notified({ draft, properties, errors, onChange }: PartProps) {
  return (
    <>
      <Field
        name="data.recipients"
        label="To"
        hint="Up to 20 addresses with commas between. They see each other."
        errors={errors}
      >
        <Textarea
          dir="ltr"
          rows={2}
          className="min-h-0"
          spellCheck={false}
          placeholder="team@example.com"
          value={draft.recipients}
          onChange={({ target }) => onChange({ recipients: target.value })}
        />
      </Field>
      <Field
        name="data.reply_to_field"
        label="An answer to the mail goes to"
        hint="Whoever filled in the form, at the address in this field."
        errors={errors}
      >
        <EmailFieldSelect
          value={draft.replyToField ?? ''}
          none="Nobody in particular"
          properties={properties}
          onChange={(field) => onChange({ replyToField: field || null })}
        />
      </Field>
    </>
  );
}

/** Recipients of a confirmation. */
function Confirmed({ draft, properties, errors, onChange }: PartProps) {
  return (
    <>
      <Field
        name="data.recipient_field"
        label="To the address in"
        hint={
          emailFields(properties).length === 0
            ? 'The published form has no e-mail field yet. Add one in the builder and publish it.'
            : 'Of several confirmations only the first is sent whose condition is met.'
        }
        errors={errors}
      >
        <EmailFieldSelect
          value={draft.recipientField}
          none="Choose an e-mail field"
          properties={properties}
          onChange={(recipientField) => onChange({ recipientField })}
        />
      </Field>
      <Field
        name="data.reply_to"
        label="An answer to the mail goes to"
        hint="Your own address, say. Without one it goes to the sender of this installation."
        errors={errors}
      >
        <Input
          dir="ltr"
          inputMode="email"
          spellCheck={false}
          placeholder="team@example.com"
          value={draft.replyTo}
          onChange={({ target }) => onChange({ replyTo: target.value })}
        />
      </Field>
    </>
  );
}

interface EmailFieldSelectProps {
  value: string;
  /** Label of the option for no field. */
  none: string;
  properties: readonly Property[];
  onChange(field: string): void;
}

function EmailFieldSelect({ value, none, properties, onChange }: EmailFieldSelectProps) {
  const fields = emailFields(properties);
  return (
    <Select className="w-full sm:w-72" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{none}</option>
      {value !== '' && !fields.some(({ id }) => id === value) && (
        <option value={value}>A deleted field</option>
      )}
      {fields.map(({ id, name }) => (
        <option key={id} value={id}>
          {name.trim() || 'A field without a name'}
        </option>
      ))}
    </Select>
  );
}
