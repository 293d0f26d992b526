import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';

type Unit = 'day' | 'week' | 'month' | 'year';

const UNITS: [Unit, string][] = [
  ['day', 'days'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['year', 'years'],
];
const MOST = 3_650;
const USUAL = 12;
/** What the service names where everything is kept. */
const NO_UNIT: Unit = 'day';

/** Keeps responses for ever, or for a number of days, weeks, months or years. */
export function RetentionSetting({ changes, problems, isDisabled }: OwnSettingProps) {
  const { submission_retention_value: value, submission_retention_unit } = changes.values;
  const unit = submission_retention_unit ?? NO_UNIT;
  /** The number was deleted to type another one. */
  const [isTyping, setTyping] = useState(false);
  const isLimited = value !== null || isTyping;
  const set = (next: number | null, of: Unit) =>
    changes.changeAll({ submission_retention_value: next, submission_retention_unit: of });
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field name="keeps" label="Keep responses">
        <Select
          className="w-44"
          value={isLimited ? 'limited' : 'ever'}
          disabled={isDisabled}
          onChange={({ target }) => (target.value === 'ever' ? set(null, NO_UNIT) : set(USUAL, 'month'))}
        >
          <option value="ever">Forever</option>
          <option value="limited">For a time</option>
        </Select>
      </Field>
      {isLimited && (
        <>
          <Field
            name="submission_retention_value"
            label="How long"
            errors={{ submission_retention_value: problems }}
          >
            <Input
              type="number"
              inputMode="numeric"
              className="max-w-24"
              min={1}
              max={MOST}
              value={value ?? ''}
              disabled={isDisabled}
              onChange={({ target }) => {
                setTyping(true);
                set(target.value === '' ? null : Number(target.value), unit);
              }}
              onBlur={() => setTyping(false)}
            />
          </Field>
          <Field name="submission_retention_unit" label="Unit" isLabelHidden errors={changes.errors}>
            <Select
              className="w-32"
              value={unit}
              disabled={isDisabled}
              onChange={({ target }) => set(value, target.value as Unit)}
            >
              {UNITS.map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
    </div>
  );
}
