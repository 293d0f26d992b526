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
/** While there is no number: the service refuses it, and would keep everything without one. */
const MISSING = -1;
const WHAT_IS_MISSING = 'Say how many, or keep responses forever.';

/** Keeps responses for ever, or for a number of days, weeks, months or years. */
export function RetentionSetting({ changes, problems, isDisabled }: OwnSettingProps) {
  const { submission_retention_value: value, submission_retention_unit } = changes.values;
  const unit = submission_retention_unit ?? NO_UNIT;
  const [isTyping, setTyping] = useState(false);
  // A number that is deleted to type another one is not missing yet.
  const isMissed = value === MISSING && (!isTyping || problems.length > 0);
  const set = (next: number | null, of: Unit) =>
    changes.changeAll({ submission_retention_value: next, submission_retention_unit: of });
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field name="keeps" label="Keep responses">
        <Select
          className="w-44"
          value={value === null ? 'ever' : 'limited'}
          disabled={isDisabled}
          onChange={({ target }) => (target.value === 'ever' ? set(null, NO_UNIT) : set(USUAL, 'month'))}
        >
          <option value="ever">Forever</option>
          <option value="limited">For a time</option>
        </Select>
      </Field>
      {value !== null && (
        <>
          <Field
            name="submission_retention_value"
            label="How long"
            errors={{ submission_retention_value: isMissed ? [WHAT_IS_MISSING] : problems }}
          >
            <Input
              type="number"
              inputMode="numeric"
              className="max-w-24"
              min={1}
              max={MOST}
              value={value === MISSING ? '' : value}
              disabled={isDisabled}
              onChange={({ target }) => {
                setTyping(true);
                set(target.value === '' ? MISSING : Number(target.value), unit);
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
