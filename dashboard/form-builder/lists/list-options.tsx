import { useState } from 'react';
import { stringList } from '../../../fields/block-options/options.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { locales } from '../../lib/locales.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useBuilder } from '../builder-context.ts';
import type { SpecOf } from '../options/option-spec.ts';
import { linesOf } from '../renames.ts';
import { withPasted } from './choice-list.ts';
import { ItemList } from './item-list.tsx';

// Options whose values are lists.

interface ListProps<Input extends 'checks' | 'countries'> {
  spec: SpecOf<Input>;
  value: JsonValue | undefined;
  isOff: boolean;
  onChange(value: JsonValue | undefined): void;
}

export function Checks({ spec, value, isOff, onChange }: ListProps<'checks'>) {
  const chosen = stringList(value);
  const set = (next: string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{spec.label}</legend>
      {spec.choices.map(([key, label]) => (
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

export function Countries({ spec, value, isOff, onChange }: ListProps<'countries'>) {
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
export function Names({ block, spec }: { block: Property; spec: SpecOf<'list'> }) {
  const { key: list, word } = spec;
  const { edit, refusal } = useBuilder();
  const names = linesOf(block, list);
  const set = (next: string[]) => edit({ do: 'change', id: block.id, members: { [list]: next } });
  return (
    <ItemList
      label={spec.label}
      word={word}
      refusal={refusal}
      items={names.map((name, index) => ({ key: `${list} ${index}`, name }))}
      onRename={(index, name) => edit({ do: 'rename-line', id: block.id, list, index, name })}
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
