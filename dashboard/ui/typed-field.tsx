import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface TypedFieldProps {
  /** The text to type before an action that cannot be undone. */
  wanted: string;
  typed: string;
  onChange(typed: string): void;
  inputMode?: 'numeric';
  className?: string;
}

/** Asks for a word or number, so that nobody confirms without reading. */
export function TypedField({ wanted, typed, onChange, inputMode, className = '' }: TypedFieldProps) {
  return (
    <Field
      name="typed"
      className={className}
      label={
        <>
          Type <bdi className="font-semibold break-words select-all">{wanted}</bdi> to confirm
        </>
      }
    >
      <Input
        value={typed}
        onChange={({ target }) => onChange(target.value)}
        inputMode={inputMode}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
