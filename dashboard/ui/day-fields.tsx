import { DayInput } from './day-input.tsx';
import { Field } from './field.tsx';

interface Days {
  since?: string | undefined;
  until?: string | undefined;
}

/** The first and last day of a log; each may be empty. */
export function DayFields({ since, until, onChange }: Days & { onChange(part: Days): void }) {
  return (
    <>
      <Field name="since" label="From">
        <DayInput
          className="w-40"
          value={since ?? ''}
          onChange={(day) => onChange({ since: day || undefined })}
        />
      </Field>
      <Field name="until" label="To">
        <DayInput
          className="w-40"
          value={until ?? ''}
          onChange={(day) => onChange({ until: day || undefined })}
        />
      </Field>
    </>
  );
}
