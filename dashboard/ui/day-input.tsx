import { type ComponentProps, useState } from 'react';
import { Input } from './input.tsx';

/** While a year is being typed it is below 1000, which is never meant. */
const FIRST_DAY = '1000-01-01';

interface DayInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> {
  /** `YYYY-MM-DD`; empty for none. */
  value: string;
  /** Called with a complete day, or an empty one. */
  onChange(day: string): void;
}

/** A day. Typed parts stay until the field is left; an incomplete day changes nothing. */
export function DayInput({ value, onChange, ...rest }: DayInputProps) {
  /** The browser's value of the parts typed so far; null when not typing. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...rest}
      type="date"
      min={FIRST_DAY}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.validity.valid) onChange(target.value);
      }}
      onKeyUp={({ currentTarget }) => {
        // When parts are deleted one by one, no input event tells that the last one is gone.
        if (typed === '' && value !== '' && currentTarget.validity.valid) onChange('');
      }}
      onBlur={({ target }) => {
        // Clears parts that make no day.
        if (target.value === '') target.value = '';
        setTyped(null);
      }}
    />
  );
}
