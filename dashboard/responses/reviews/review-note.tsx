import { useQueryClient } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import type { Submission } from '../queries.ts';
import { addToHistory } from './reviews.ts';

/** Characters; limit of the API. */
const MAX_NOTE = 5_000;

interface ReviewNoteProps {
  formId: string;
  response: Submission;
  /** Called with whether it has unsaved text. */
  onWriting(isWriting: boolean): void;
}

/** A button that becomes an input for a note. */
export function ReviewNote({ formId, response, onWriting }: ReviewNoteProps) {
  const client = useQueryClient();
  const refusal = useRefusal('user');
  const [text, setText] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const wasOpen = useRef(false);
  const isWriting = Boolean(text?.trim());
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it changes, and when this is gone
  useEffect(() => {
    onWriting(isWriting);
    return () => onWriting(false);
  }, [isWriting]);
  const isOpen = text !== null;
  useEffect(() => {
    if (isOpen) form.current?.scrollIntoView({ block: 'nearest' });
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const add = useAction((note: string) => addToHistory(client, formId, response.id, { note }), {
    toast: 'The note was saved.',
    onDone: () => setText(null),
  });
  const save = () => {
    if (text !== null && isWriting && !add.isRunning) add.run(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  if (text === null)
    return (
      <div>
        <Button
          ref={opener}
          size="sm"
          icon={<MessageSquarePlus aria-hidden="true" className="size-4" />}
          disabledReason={refusal}
          onClick={() => setText('')}
        >
          Write a note
        </Button>
      </div>
    );
  const close = () => {
    add.reset();
    setText(null);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  };
  return (
    <form ref={form} onSubmit={submit} className="grid grid-cols-1 gap-2" noValidate>
      <Field
        name="note"
        label="Note"
        hint="Seen by the members of this workspace, not by whoever answered."
        errors={add.errors}
      >
        <Textarea
          autoFocus
          rows={3}
          maxLength={MAX_NOTE}
          // Text typed while saving would be lost with the saved note.
          readOnly={add.isRunning}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="sm" disabledReason={add.isRunning ? 'It is being saved' : null} onClick={close}>
          Cancel
        </Button>
        <Button
          size="sm"
          type="submit"
          look="primary"
          isRunning={add.isRunning}
          disabledReason={isWriting ? null : 'Write something first'}
        >
          Save note
        </Button>
      </div>
    </form>
  );
}
