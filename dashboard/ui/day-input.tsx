import { type ComponentProps, useState } from 'react';
import { Input } from './input.tsx';

/** A year that is being typed begins as one of the first thousand, which nobody means here. */
const FIRST_DAY = '1000-01-01';
/** With it a year has four digits. */
const LAST_DAY = '9999-12-31';

interface DayInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> {
  /** `YYYY-MM-DD`; empty for none. */
  value: string;
  /** Told of whole days, and of none. */
  onChange(day: string): void;
}

/** A day. What is typed of it stays until the field is left; half of a day changes nothing. */
export function DayInput({ value, onChange, ...rest }: DayInputProps) {
  /** What the browser makes of the parts typed so far; null when nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...rest}
      type="date"
      min={FIRST_DAY}
      max={LAST_DAY}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.validity.valid) onChange(target.value);
      }}
      onKeyUp={({ currentTarget }) => {
        // Parts taken away one by one leave half of a day first; that the rest is gone no event tells.
        if (typed === '' && value !== '' && currentTarget.validity.valid) onChange('');
      }}
      onBlur={({ target }) => {
        // Or parts would go on being shown that are no day.
        if (target.validity.badInput) target.value = '';
        setTyped(null);
      }}
    />
  );
}
