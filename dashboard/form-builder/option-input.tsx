import { useState } from 'react';
import { isOn, stringList } from '../../fields/options.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { Fallbacks } from '../integrations/fallbacks.tsx';
import { locales } from '../lib/locales.ts';
import { PictureInput } from '../pictures/picture-input.tsx';
import { Checkbox, Switch } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { useBuilder } from './builder-context.ts';
import { ChoiceList } from './choice-editor.tsx';
import { withPasted } from './choice-list.ts';
import { HtmlEditor } from './html-editor.tsx';
import { ImageInput } from './image-input.tsx';
import { ItemList } from './item-list.tsx';
import type { OptionSpec } from './option-spec.ts';
import { PrefillInput } from './prefill-input.tsx';
import { QuestionList } from './question-list.tsx';

interface OptionInputProps {
  block: Property;
  /** Blocks of the whole form. */
  blocks: readonly Property[];
  spec: OptionSpec;
}

/** The input for one option of a block, as the table defines it. */
export function OptionInput({ block, blocks, spec }: OptionInputProps) {
  const { edit, refusal, mayAddCode, calculations } = useBuilder();
  const isOff = refusal !== null;
  const value = block[spec.key];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const set = (next: JsonValue | undefined) =>
    edit({ do: 'change', id: block.id, members: { [spec.key]: next }, isTyped: true });
  switch (spec.input) {
    case 'switch':
      return (
        <Switch
          label={spec.label}
          hint={spec.help}
          checked={isOn(value)}
          disabled={isOff}
          onChange={(event) =>
            edit({ do: 'change', id: block.id, members: { [spec.key]: event.target.checked } })
          }
        />
      );
    case 'choice':
      return (
        <Field name={spec.key} label={spec.label} hint={spec.help}>
          <Select
            className="w-full"
            disabled={isOff}
            value={text || spec.choices[0]?.[0]}
            onChange={(event) =>
              set(event.target.value === spec.choices[0]?.[0] ? undefined : event.target.value)
            }
          >
            {spec.choices.map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      );
    case 'number': {
      const problem = spec.problem?.(block) ?? null;
      return (
        <Field
          name={spec.key}
          label={spec.label}
          hint={spec.help}
          errors={problem === null ? {} : { [spec.key]: [problem] }}
        >
          <Input
            type="number"
            step="any"
            min={spec.min}
            max={spec.max}
            readOnly={isOff}
            placeholder={spec.placeholder}
            value={text}
            onChange={(event) => set(event.target.value === '' ? undefined : Number(event.target.value))}
          />
        </Field>
      );
    }
    case 'text':
    case 'address':
      return (
        <Field name={spec.key} label={spec.label} hint={spec.help}>
          <Input
            {...(spec.input === 'address' && { type: 'url', dir: 'ltr', inputMode: 'url' as const })}
            readOnly={isOff}
            maxLength={spec.input === 'text' ? spec.max : undefined}
            placeholder={spec.input === 'address' ? 'https://' : spec.placeholder}
            value={text}
            onChange={(event) => set(event.target.value || undefined)}
          />
        </Field>
      );
    case 'picture':
      return (
        <Field name={spec.key} label={spec.label} hint={spec.help}>
          <PictureInput
            label={spec.label}
            isOff={isOff}
            value={text}
            onChange={(address) => set(address || undefined)}
          />
        </Field>
      );
    case 'code':
      return (
        <Field name={spec.key} label={spec.label} hint={spec.help}>
          <Textarea
            dir="ltr"
            rows={8}
            spellCheck={false}
            className="font-mono text-[0.8125rem]"
            readOnly={isOff || !mayAddCode}
            value={text}
            onChange={(event) => set(event.target.value || undefined)}
          />
        </Field>
      );
    case 'html':
      return (
        <div className="grid grid-cols-1 gap-2">
          <HtmlEditor
            label={spec.label}
            value={text}
            isReadOnly={isOff}
            hint={spec.help}
            placeholder={spec.placeholder}
            textOf={spec.key === 'content' ? block.id : undefined}
            fields={[...blocks, ...calculations]}
            onChange={set}
          />
          {!isOff && (
            <Fallbacks
              of={spec.label.toLowerCase()}
              text={text}
              fields={[...blocks, ...calculations]}
              onChange={set}
            />
          )}
        </div>
      );
    case 'checks':
      return <Checks spec={spec} value={value} isOff={isOff} onChange={set} />;
    case 'countries':
      return <Countries spec={spec} value={value} isOff={isOff} onChange={set} />;
    case 'list':
      return <Names block={block} spec={spec} word={spec.word} />;
    case 'options':
      return <ChoiceList block={block} />;
    case 'questions':
      return (
        <QuestionList
          block={block}
          label={spec.label}
          renderOption={(question, one) => <OptionInput block={question} blocks={[]} spec={one} />}
        />
      );
    case 'prefill':
      return <PrefillInput block={block} label={spec.label} isOff={isOff} onChange={set} />;
    case 'image':
      return <ImageInput value={value} isOff={isOff} onChange={set} />;
  }
}

interface ListProps {
  spec: OptionSpec;
  value: JsonValue | undefined;
  isOff: boolean;
  onChange(value: JsonValue | undefined): void;
}

function Checks({ spec, value, isOff, onChange }: ListProps) {
  const chosen = stringList(value);
  const set = (next: string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{spec.label}</legend>
      {spec.input === 'checks' &&
        spec.choices.map(([key, label]) => (
          <Checkbox
            key={key}
            label={label}
            checked={chosen.includes(key)}
            disabled={isOff}
            onChange={(event) =>
              set(event.target.checked ? [...chosen, key] : chosen.filter((other) => other !== key))
            }
          />
        ))}
      {spec.help && <p className="text-[0.8125rem] text-muted">{spec.help}</p>}
    </fieldset>
  );
}

const countryNames = new Intl.DisplayNames(locales, { type: 'region', fallback: 'none' });

function Countries({ spec, value, isOff, onChange }: ListProps) {
  const codes = stringList(value);
  const [typed, setTyped] = useState('');
  const names = codes.map(
    (code) => (/^[A-Z]{2}$/.test(code) ? countryNames.of(code) : undefined) ?? `${code}?`,
  );
  return (
    <Field
      name={spec.key}
      label={spec.label}
      hint={names.length > 0 ? names.join(', ') : 'Their two letters, with commas between: US, CA'}
    >
      <Input
        dir="ltr"
        readOnly={isOff}
        // Shows the typed text while it means the same; otherwise no comma could be typed.
        value={codesIn(typed).join() === codes.join() ? typed : codes.join(', ')}
        onChange={(event) => {
          const next = codesIn(event.target.value);
          setTyped(event.target.value);
          onChange(next.length > 0 ? next : undefined);
        }}
      />
    </Field>
  );
}

function codesIn(text: string): string[] {
  const codes = text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return [...new Set(codes)];
}

/** The rows or columns of a matrix. */
function Names({ block, spec, word }: Omit<OptionInputProps, 'blocks'> & { word: string }) {
  const { edit, refusal } = useBuilder();
  const names = Array.isArray(block[spec.key]) ? (block[spec.key] as JsonValue[]).map(String) : [];
  const set = (next: string[], { isTyped = false } = {}) =>
    edit({ do: 'change', id: block.id, members: { [spec.key]: next }, isTyped });
  return (
    <ItemList
      label={spec.label}
      word={word}
      refusal={refusal}
      items={names.map((name, index) => ({ key: `${spec.key} ${index}`, name }))}
      onRename={(index, name) => set(names.with(index, name), { isTyped: true })}
      onAdd={(at) => set(names.toSpliced(at, 0, freeWord(names, word)))}
      onPaste={(at, pasted, dropped) => set(withPasted(names, at, pasted, dropped))}
      onRemove={(index) => set(names.toSpliced(index, 1))}
      onMove={(from, to) => set(names.toSpliced(from, 1).toSpliced(to, 0, names[from] ?? ''))}
    />
  );
}

function freeWord(names: readonly string[], word: string): string {
  let number = names.length + 1;
  while (names.includes(`${word} ${number}`)) number += 1;
  return `${word} ${number}`;
}
