import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface Days {
  since?: string | undefined;
  until?: string | undefined;
}

/** From which day to which a log is shown; each may be open. */
export function DayFields({ since, until, onChange }: Days & { onChange(part: Days): void }) {
  return (
    <>
      <Field name="since" label="From">
        <Input
          type="date"
          className="w-40"
          value={since ?? ''}
          onChange={({ target }) => onChange({ since: target.value || undefined })}
        />
      </Field>
      <Field name="until" label="To">
        <Input
          type="date"
          className="w-40"
          value={until ?? ''}
          onChange={({ target }) => onChange({ until: target.value || undefined })}
        />
      </Field>
    </>
  );
}
