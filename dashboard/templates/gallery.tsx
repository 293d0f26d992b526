import { FileJson, FilePlus2 } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import type { Errors } from '../api/client.ts';
import { decodeText } from '../lib/decode-text.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input, SearchInput, Textarea } from '../ui/input.tsx';
import { RefusedMembers } from '../ui/refused-members.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { formOf } from './form-of.ts';
import { readFormJson } from './read-json.ts';
import type { Template } from './template.ts';
import { TEMPLATES } from './templates.ts';

const FromProduct = lazy(async () => ({
  default: (await import('../form-import/from-product.tsx')).FromProduct,
}));

/** Characters; limit of the API. */
const MAX_TITLE = 255;

interface GalleryProps {
  /** Creates the form. */
  onCreate(form: { title: string; [key: string]: unknown }): void;
  onClose(): void;
  isRunning: boolean;
  /** Errors of the last attempt. */
  errors: Errors;
}

/** Ways to begin a form: blank, from a template, from another product, from JSON. */
export function Gallery(props: GalleryProps) {
  const [tab, setTab] = useState('templates');
  return (
    <Tabs
      label="How to begin"
      value={tab}
      onChange={setTab}
      tabs={[
        { key: 'templates', name: 'Blank or template', content: <Templates {...props} /> },
        {
          key: 'product',
          name: 'From another product',
          content: (
            <Suspense fallback={<Skeleton className="h-96 rounded-xl" />}>
              <FromProduct {...props} />
            </Suspense>
          ),
        },
        { key: 'json', name: 'From JSON', content: <FromJson {...props} /> },
      ]}
    />
  );
}

function Templates({ onCreate, onClose, isRunning, errors }: GalleryProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [title, setTitle] = useState('');
  const id = useId();
  const words = text.trim().toLowerCase();
  const found = TEMPLATES.filter(({ name, purpose, group }) =>
    `${name} ${purpose} ${group}`.toLowerCase().includes(words),
  );
  const template = templateOf(chosen);
  const choose = (key: string | null) => {
    setChosen(key);
    // A typed title is kept.
    if (title === '' || title === template?.form.title) setTitle(templateOf(key)?.form.title ?? '');
  };
  const create = (event: FormEvent) => {
    event.preventDefault();
    onCreate({ ...(template ? formOf(template) : {}), title: title.trim() });
  };
  return (
    <div className="grid gap-4">
      <SearchInput
        aria-label="Search templates"
        placeholder="Search templates"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className="-m-1 max-h-[36vh] overflow-y-auto p-1">
        <legend className="sr-only">Template</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {words === '' && (
            <Choice
              name="Blank form"
              purpose="Begin with nothing and add what you need."
              icon={<FilePlus2 className="size-4" />}
              isChosen={chosen === null}
              onChoose={() => choose(null)}
            />
          )}
          {found.map(({ key, name, purpose, form }) => (
            <Choice
              key={key}
              name={name}
              purpose={purpose}
              count={form.properties.filter(({ type }) => !type.startsWith('nf-')).length}
              isChosen={chosen === key}
              onChoose={() => choose(key)}
            />
          ))}
        </div>
        {found.length === 0 && <p className="py-4 text-muted">No template fits. Begin with a blank form.</p>}
      </fieldset>
      <form id={id} onSubmit={create}>
        <Field
          name="title"
          label="Title"
          hint="People see it above the form. You can change it later."
          errors={errors}
        >
          <Input
            required
            maxLength={MAX_TITLE}
            autoComplete="off"
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        </Field>
      </form>
      {/* Last in the dialog, so that it stays in view whatever the height. */}
      <DialogActions>
        <Button disabledReason={isRunning ? 'It is being made' : null} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={id} look="primary" isRunning={isRunning}>
          Create form
        </Button>
      </DialogActions>
    </div>
  );
}

interface ChoiceProps {
  name: string;
  purpose: string;
  icon?: React.ReactNode;
  count?: number;
  isChosen: boolean;
  onChoose(): void;
}

function Choice({ name, purpose, icon, count, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="relative grid cursor-pointer content-start gap-0.5 rounded-lg border border-line p-3 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="template"
        aria-label={name}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="flex items-center gap-2 font-medium">
        {icon}
        {name}
      </span>
      <span className="text-[0.8125rem] text-muted">{purpose}</span>
      {count !== undefined && <span className="text-[0.8125rem] text-muted">{count} questions</span>}
    </label>
  );
}

function FromJson({ onCreate, onClose, isRunning, errors }: GalleryProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  /** The text that was read last: what was said of it says nothing of another one. */
  const [readText, setReadText] = useState<string | null>(null);
  const create = () => {
    setReadText(text);
    const read = readFormJson(text);
    if ('problem' in read) return setProblem(read.problem);
    setProblem('');
    onCreate(read.form);
  };
  const isRefused = text === readText && (problem !== '' || Object.keys(errors).length > 0);
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <Field
        name="json"
        label="Form as JSON"
        hint="As the API answers a form, or only its blocks. Secrets, links and answers are not taken over."
      >
        <Textarea
          required
          dir="ltr"
          rows={10}
          spellCheck={false}
          className="font-mono text-[0.8125rem]"
          placeholder='{ "title": "…", "properties": [ … ] }'
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <label className="inline-flex min-w-0 flex-wrap items-center gap-2 justify-self-start rounded-lg has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <FileJson aria-hidden="true" className="size-4 text-muted" />
        <span>From a file:</span>
        <input
          type="file"
          accept=".json,application/json"
          className="max-w-full min-w-0 text-[0.8125rem]"
          onChange={async ({ target: { files } }) => {
            const bytes = await files?.[0]?.arrayBuffer();
            setText(bytes ? decodeText(new Uint8Array(bytes)) : '');
          }}
        />
      </label>
      {isRefused && (
        <Notice tone="bad">
          {problem !== '' ? <p className="wrap-anywhere">{problem}</p> : <RefusedMembers errors={errors} />}
        </Notice>
      )}
      <DialogActions>
        <Button disabledReason={isRunning ? 'It is being made' : null} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isRunning={isRunning}>
          Create form
        </Button>
      </DialogActions>
    </form>
  );
}

function templateOf(key: string | null): Template | undefined {
  return TEMPLATES.find((template) => template.key === key);
}
