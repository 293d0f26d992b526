import { type DecimalSign, plainNumberText } from '../../fields/as-text/written-numbers.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import type { Habits } from './habits.ts';
import { UTC, type Ways } from './read-rows.ts';

const SIGNS: readonly DecimalSign[] = ['.', ','];

interface WaysFieldsProps {
  habits: Habits;
  /** Asks for the time zone; null where no column has times. */
  zone: { ofFile: string | null } | null;
  ways: Ways;
  onWays(ways: Ways): void;
}

/** How dates, numbers and times of a file are meant, where it does not say so itself. */
export function WaysFields({ habits: { areDatesOpen, openNumber }, zone, ways, onWays }: WaysFieldsProps) {
  return (
    <>
      {areDatesOpen && (
        <Field name="order" label="Dates such as 5/1/2024">
          <Select
            className="w-full sm:w-72"
            value={ways.dayFirst ? 'day' : 'month'}
            onChange={({ target }) => onWays({ ...ways, dayFirst: target.value === 'day' })}
          >
            <option value="day">Day first: 5 January</option>
            <option value="month">Month first: 1 May</option>
          </Select>
        </Field>
      )}
      {openNumber !== null && (
        <Field name="sign" label={`Numbers such as ${openNumber} are`}>
          <Select
            className="w-full sm:w-72"
            value={ways.decimalSign ?? ''}
            onChange={({ target }) =>
              onWays({ ...ways, decimalSign: SIGNS.find((sign) => sign === target.value) })
            }
          >
            <option value="">Say which</option>
            {SIGNS.map((sign) => (
              <option key={sign} value={sign}>
                {plainNumberText(openNumber, sign)}, with a decimal {sign === '.' ? 'point' : 'comma'}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {zone && (
        <Field name="zone" label="Times without a time zone are">
          <Select
            className="w-full sm:w-72"
            value={ways.zone ?? ''}
            onChange={({ target }) => onWays({ ...ways, zone: target.value || null })}
          >
            <option value="">Mine ({Intl.DateTimeFormat().resolvedOptions().timeZone})</option>
            <option value={UTC}>UTC</option>
            {zone.ofFile !== null && zone.ofFile !== UTC && (
              <option value={zone.ofFile}>{zone.ofFile}, as the file says</option>
            )}
          </Select>
        </Field>
      )}
    </>
  );
}
