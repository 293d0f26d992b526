import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isOn } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';
import type { Errors } from '../api/client.ts';
import { asFields } from '../calculations/fields.ts';
import { KindIcon } from '../form-builder/blocks/kind-icon.tsx';
import { kindOf } from '../form-builder/blocks/kinds.ts';
import { fieldsById, logicSentence } from '../form-builder/logic/logic-words.ts';
import { formatCount } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { RefusedMembers } from '../ui/refused-members.tsx';
import { Notice } from '../ui/states.tsx';
import type { FormInput, ImportNote } from './imported.ts';
import type { ReadSource } from './read-source.ts';

/** Characters; limit of the API. */
const MAX_TITLE = 255;

interface ResultStepProps {
  source: ReadSource;
  onBack(): void;
  onCreate(form: FormInput): void;
  isRunning: boolean;
  errors: Errors;
}

/** Shows what will be created and what cannot be imported, before the form is created. */
export function ResultStep({ source, onBack, onCreate, isRunning, errors }: ResultStepProps) {
  const { product, form, notes } = source;
  const [title, setTitle] = useState(form.title);
  const questions = form.properties.filter(({ type }) => !isLayoutBlock(type)).length;
  const head = useRef<HTMLParagraphElement>(null);
  // The focused element of the step before is gone.
  useEffect(() => head.current?.focus(), []);
  const create = (event: FormEvent) => {
    event.preventDefault();
    onCreate({ ...form, title: title.trim() });
  };
  const { title: _, ...refused } = errors;
  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={create}>
      <p ref={head} tabIndex={-1} className="rounded font-medium">
        Recognised as {product}: {formatCount(questions, 'question')}.
      </p>
      <Field name="title" label="Title" errors={errors}>
        <Input
          required
          dir="auto"
          maxLength={MAX_TITLE}
          autoComplete="off"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </Field>
      <Blocks form={form} />
      <Notes notes={notes} />
      {Object.keys(refused).length > 0 && (
        <Notice tone="bad">
          <RefusedMembers errors={refused} />
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onBack}>Choose another</Button>
        <Button type="submit" look="primary" isRunning={isRunning}>
          Create form
        </Button>
      </DialogActions>
    </form>
  );
}

function Blocks({ form: { properties, computed_variables: calculations = [] } }: { form: FormInput }) {
  const fields = fieldsById(properties, asFields(calculations));
  return (
    <section aria-labelledby="made" className="grid grid-cols-1 gap-2">
      <h3 id="made" className="font-medium">
        What will be made
      </h3>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys, too
        tabIndex={0}
        aria-label="Questions in order"
        className="max-h-[27vh] overflow-y-auto rounded-lg border border-line"
      >
        <ol className="divide-y divide-line">
          {properties.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves here, and a block may have no id yet
            <Block key={index} block={block} sentence={logicSentence(block, fields)} />
          ))}
        </ol>
      </section>
      {calculations.length > 0 && (
        <p className="text-[0.8125rem] text-muted wrap-anywhere">
          And {formatCount(calculations.length, 'calculation')}:{' '}
          {calculations.map(({ name }) => name).join(', ')}
        </p>
      )}
    </section>
  );
}

function Block({ block, sentence }: { block: Property; sentence: string | null }) {
  const kind = kindOf(block);
  const about = [
    kind?.label ?? block.type,
    isOn(block.required) && 'required',
    sentence === null && isOn(block.hidden) && 'hidden',
  ];
  return (
    <li className="flex gap-2.5 px-3 py-2">
      <KindIcon kind={kind?.key} className="mt-0.5 text-muted" />
      <div className="min-w-0">
        <p dir="auto" className="wrap-anywhere">
          {block.name}
        </p>
        <p className="text-[0.8125rem] text-muted wrap-anywhere">{about.filter(Boolean).join(', ')}</p>
        {sentence !== null && (
          <p className="text-[0.8125rem] text-muted wrap-anywhere" dir="auto">
            {sentence}
          </p>
        )}
      </div>
    </li>
  );
}

/** Grouped by question; those about the whole form come first. */
function Notes({ notes }: { notes: readonly ImportNote[] }) {
  if (notes.length === 0) return <p className="text-muted">Everything is brought along.</p>;
  const groups = Map.groupBy(
    notes.toSorted((one, other) => Number(one.about !== '') - Number(other.about !== '')),
    ({ about }) => about,
  );
  const lines = [...groups].flatMap(([about, group]) => [
    about === '' ? 'The form' : about,
    ...group.map(({ text }) => `- ${text}`),
  ]);
  return (
    <section aria-labelledby="lost" className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="lost" className="font-medium">
          What is not as it was
        </h3>
        <CopyButton size="sm" text={lines.join('\n')} label="Copy the list" />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys, too
        tabIndex={0}
        aria-label="What is not as it was, by question"
        className="max-h-[20vh] overflow-y-auto rounded-lg bg-sunken px-3 py-2"
      >
        <dl className="grid gap-2">
          {[...groups].map(([about, group]) => (
            <div key={about}>
              <dt dir="auto" className="wrap-anywhere font-medium">
                {about === '' ? 'The form' : about}
              </dt>
              {group.map(({ text }) => (
                <dd key={text} dir="auto" className="text-[0.8125rem] wrap-anywhere">
                  {text}
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </section>
    </section>
  );
}
