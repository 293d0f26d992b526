import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { CHATS, type ChatId, chatAt, chatById } from './chats.ts';
import { CheckField } from './check-field.tsx';
import type { Draft } from './draft.ts';
import { Fallbacks } from './fallbacks.tsx';
import { MentionLine } from './mention-line.tsx';

interface FormatFieldProps {
  draft: Draft;
  errors: Errors;
  onChange(part: Pick<Draft, 'format'>): void;
}

/** The format of a webhook: our own JSON, or messages for a chat, which is offered when the address belongs to one. */
export function FormatField({ draft: { url, format }, errors, onChange }: FormatFieldProps) {
  const found = chatAt(url);
  return (
    <>
      {found && found.id !== format && (
        <Notice>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span>This is an address of {found.name}.</span>
            <Button size="sm" onClick={() => onChange({ format: found.id })}>
              Send messages for {found.name}
            </Button>
          </span>
        </Notice>
      )}
      <Field
        name="data.format"
        label="What is sent"
        hint={
          format === null
            ? 'All answers for a program to read, signed.'
            : 'A message for people to read, with a link to the response.'
        }
        errors={errors}
      >
        <Select
          className="w-full sm:w-72"
          value={format ?? ''}
          onChange={({ target }) => onChange({ format: chatById(target.value)?.id ?? null })}
        >
          <option value="">JSON</option>
          {CHATS.map(({ id, name }) => (
            <option key={id} value={id}>
              Message for {name}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}

interface MessageFieldsProps {
  draft: Draft & { format: ChatId };
  /** Title of the form. */
  title: string;
  properties: readonly Property[];
  errors: Errors;
  onChange(part: Partial<Draft>): void;
}

/** Edits the message for a chat. */
export function MessageFields({ draft, title, properties, errors, onChange }: MessageFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-1 gap-2">
        <MentionLine
          label="Message"
          value={draft.message}
          placeholder={`New response to “${title}”`}
          fields={properties}
          hint="One line of plain text. Nobody is notified by name in it."
          problems={errors['data.message'] ?? []}
          onChange={(message) => onChange({ message })}
        />
        <Fallbacks
          of="message"
          text={draft.message}
          fields={properties}
          onChange={(message) => onChange({ message })}
        />
      </div>
      <CheckField
        label="With questions and answers"
        hint="Everybody in the channel reads them. Files are only named."
        checked={draft.hasAnswers}
        problems={errors['data.include_answers']}
        onChange={({ target }) => onChange({ hasAnswers: target.checked })}
      />
    </>
  );
}
