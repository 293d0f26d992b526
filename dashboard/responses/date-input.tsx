import { useState } from 'react';
import { isOn } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { Input } from '../ui/input.tsx';

/**
 * The browser's date picker if it can show the value without loss; otherwise a text input, also while the text becomes one that
 * the picker could show.
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
  const fits = text === '' || (isTimed ? /^\d{4}-\d\d-\d\dT\d\d:\d\d$/ : /^\d{4}-\d\d-\d\d$/).test(text);
  const [wasText] = useState(!fits);
  const type = fits && !wasText ? (isTimed ? 'datetime-local' : 'date') : 'text';
  return <Input type={type} value={text} onChange={(event) => onChange(event.target.value)} />;
}

/** Whether an answer has a time, or its question asks for one. */
export function isTimed(property: Property, text: string): boolean {
  return text === '' ? isOn(property.with_time) : text.includes('T');
}
