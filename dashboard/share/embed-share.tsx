import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';
import { baseOf } from './addresses.ts';
import { CodeBlock } from './code-block.tsx';
import { DEFAULTS, type EmbedOptions, embedCode, type Mode, opensByItself } from './embed-code.ts';
import { OpeningOptions } from './opening-options.tsx';
import { previewPathQuery } from './preview-path.ts';
import { isPrefillable, questionsOf } from './questions.ts';

const MODES: [Mode, string][] = [
  ['inline', 'In the page'],
  ['popup', 'In a dialog'],
  ['slider', 'Sliding in from the side'],
  ['corner', 'In the corner, beside the page'],
];

/** The device features that types of questions need. */
const ALLOWED: Readonly<Record<string, string>> = { barcode: 'camera', location: 'geolocation' };

function allowedFor(form: Form): string[] {
  const types = questionsOf(form).map(({ type }) => canonicalTypeName(type));
  return [...new Set(types.flatMap((type) => ALLOWED[type] ?? []))];
}

/** Code that shows the form on another site, with a preview. */
export function EmbedShare({ form }: { form: Form }) {
  const [options, setOptions] = useState<EmbedOptions>({
    mode: 'inline',
    title: form.title,
    cues: '',
    ...DEFAULTS,
    button: form.title,
    extraButton: '',
    prefill: [],
    allowed: allowedFor(form),
  });
  const change = (part: Partial<EmbedOptions>) => setOptions((former) => ({ ...former, ...part }));
  const questions = questionsOf(form).filter(isPrefillable);
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <div className="grid grid-cols-1 content-start gap-5">
        <Card title="How it is shown">
          <div className="grid grid-cols-1 gap-4">
            <Field name="mode" label="Place">
              <Select value={options.mode} onChange={({ target }) => change({ mode: target.value as Mode })}>
                {MODES.map(([mode, name]) => (
                  <option key={mode} value={mode}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
            {options.mode !== 'inline' && <OpeningOptions options={options} change={change} />}
            <Field name="title" label="Name of the frame" hint="Read out by screen readers.">
              <Input value={options.title} onChange={({ target }) => change({ title: target.value })} />
            </Field>
            {questions.length > 0 && (
              <details>
                <summary className="font-medium">Fill in from the address of the page</summary>
                <fieldset className="mt-3 grid gap-2">
                  <legend className="mb-2 text-muted">
                    A page opened with ?id=value fills in these. Where visitors come from is always handed on.
                  </legend>
                  {questions.map(({ id, name }) => (
                    <Checkbox
                      key={id}
                      label={<bdi className="wrap-anywhere">{name}</bdi>}
                      hint={<code className="break-all">{id}</code>}
                      checked={options.prefill.includes(id)}
                      onChange={({ target }) =>
                        change({
                          prefill: target.checked
                            ? [...options.prefill, id]
                            : options.prefill.filter((other) => other !== id),
                        })
                      }
                    />
                  ))}
                </fieldset>
              </details>
            )}
          </div>
        </Card>
        <Card
          title="Code"
          description={
            opensByItself(options)
              ? 'Put it into every page where the form should open.'
              : 'Put it where the form should be. It is as high as the form by itself.'
          }
        >
          <CodeBlock
            code={embedCode(form.share_url, `${baseOf(form)}/embed.js`, options)}
            label="Embed code"
          />
        </Card>
      </div>
      <Card title="Preview" description="Nothing that is entered here is stored.">
        <Preview form={form} options={options} />
      </Card>
    </div>
  );
}

/** The code in a page of its own, served by this service so that the dashboard may frame it. */
function Preview({ form, options }: { form: Form; options: EmbedOptions }) {
  const refusal = useRefusal('user');
  const { data: path, error } = useQuery({ ...previewPathQuery(form), enabled: refusal === null });
  const settled = useDebounced(options);
  if (refusal) return <Notice>{refusal}</Notice>;
  if (error) return <Notice>{error.message}</Notice>;
  if (!path) return <Skeleton className="h-144 rounded-lg" />;
  const code = embedCode(location.origin + path, `${location.origin}/embed.js`, shownAtOnce(settled));
  return (
    <iframe
      key={code}
      title="Preview of the embedded form"
      className="h-144 w-full rounded-lg border border-line bg-white"
      srcDoc={`<!doctype html><html lang="en"><meta name="color-scheme" content="light"><title>Preview</title><body>${code}</body></html>`}
    />
  );
}

/** Makes the preview of a form that opens by itself visible at once; a dialog, which would take the focus, opens by a link. */
function shownAtOnce(options: EmbedOptions): EmbedOptions {
  if (!opensByItself(options)) return options;
  if (options.mode !== 'corner') return { ...options, cues: '', button: options.extraButton || 'Open it' };
  return { ...options, cues: '0s', again: '0', againSent: '0', visitors: DEFAULTS.visitors };
}
