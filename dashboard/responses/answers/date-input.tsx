import { useState } from 'react';
import { isOn } from '../../../fields/block-options/options.ts';
import type { Property } from '../../../fields/property.ts';
import { Input } from '../../ui/input.tsx';

/** What the pickers show without loss. */
const SHOWN = { date: /^\d{4}-\d\d-\d\d$/, 'datetime-local': /^\d{4}-\d\d-\d\dT\d\d:\d\d$/ };

const DAY_BLANK_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d$/;

/**
 * The browser's date picker if it can show the value without loss; otherwise a text input. It stays what it was while the value is
 * typed over: on the way the value may be empty, or one that the picker could show.
 */
export function DateInput({
  isTimed,
  text,
  onChange,
}: {
  isTimed: boolean;
  text: string;
  onChange(text: string): void;
}) {
  const [picker] = useState<keyof typeof SHOWN>(isTimed ? 'datetime-local' : 'date');
  // The page of the form stores a blank between day and time.
  const [separator] = useState(DAY_BLANK_TIME.test(text) ? ' ' : 'T');
  const shown = DAY_BLANK_TIME.test(text) ? text.replace(' ', 'T') : text;
  const fits = shown === '' || SHOWN[picker].test(shown);
  const [isText, setText] = useState(!fits);
  if (!fits && !isText) setText(true);
  if (isText) return <Input type="text" value={text} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Input
      type={picker}
      value={shown}
      onChange={(event) => onChange(event.target.value.replace('T', separator))}
    />
  );
}

/** Whether an answer has a time, or its question asks for one. */
export function isTimed(property: Property, text: string): boolean {
  return text === '' ? isOn(property.with_time) : /[T ]\d/.test(text);
}
