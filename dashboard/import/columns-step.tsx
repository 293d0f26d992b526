import { useMemo } from 'react';
import { withoutGuard } from '../../fields/formula-guard.ts';
import { type DecimalSign, plainNumberText } from '../../fields/written-numbers.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import type { Habits } from './habits.ts';
import { UTC, type Ways } from './read-rows.ts';
import type { SourceTable } from './read-table.ts';
import { ReadingFields } from './reading-fields.tsx';
import { CREATED_AT, NOTHING, type Target, withMatch } from './targets.ts';

interface ColumnsStepProps {
  table: SourceTable;
  targets: Target[];
  /** Keys of targets, by column. */
  matched: string[];
  onMatch(matched: string[]): void;
  /** Called with the same file, read in another way. */
  onRead(table: SourceTable): void;
  habits: Habits;
  ways: Ways;
  onWays(ways: Ways): void;
  onBack(): void;
  onCheck(): void;
}

const SIGNS: readonly DecimalSign[] = ['.', ','];
/** Most different answers shown for a column, and most rows searched for them. */
const EXAMPLES = 3;
const LOOKED_AT = 200;

/** Assigns columns to questions. */
export function ColumnsStep({
  table,
  targets,
  matched,
  onMatch,
  onRead,
  habits,
  ways,
  onWays,
  onBack,
  onCheck,
}: ColumnsStepProps) {
  const examples = useMemo(() => examplesOf(table), [table]);
  const options = useMemo(() => <TargetOptions targets={targets} />, [targets]);
  const count = matched.filter((key) => key !== NOTHING).length;
  const { openNumber } = habits;
  const hasAnswers = matched.some((key) => targets.find((target) => target.key === key)?.property);
  const missing = !hasAnswers
    ? 'Say of at least one column which question it answers'
    : openNumber !== null && ways.decimalSign === undefined
      ? `Say what ${openNumber} means`
      : null;
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null) onCheck();
      }}
    >
      <p className="text-muted">
        <bdi>{table.file.name}</bdi>: {formatCount(table.rows.length, 'response')}. {formatNumber(count)} of{' '}
        {formatCount(table.columns.length, 'column')} found in the form.
      </p>
      {table.lost > 0 && (
        <Notice tone="warn">
          {formatCount(table.lost, 'character')} of the file cannot be read, and “�” stands there. Save it as
          UTF-8 anew, or mend it.
        </Notice>
      )}
      <ReadingFields table={table} onRead={onRead} />
      <ul className="grid gap-3 rounded-xl border border-line p-3 sm:gap-2">
        {table.columns.map((name, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
            key={index}
            className="grid grid-cols-1 items-center gap-x-4 gap-y-1 border-line not-last:border-b not-last:pb-3 sm:grid-cols-2 sm:not-last:pb-2"
          >
            <div className="min-w-0">
              <p className="truncate font-medium" dir="auto" title={name}>
                {name}
              </p>
              <p className="truncate text-[0.8125rem] text-muted" dir="auto">
                {examples[index] || 'Empty'}
              </p>
            </div>
            <Select
              className="w-full"
              aria-label={`What “${name}” is`}
              value={matched[index] ?? NOTHING}
              onChange={({ target }) => onMatch(withMatch(matched, index, target.value, targets))}
            >
              {options}
            </Select>
          </li>
        ))}
      </ul>
      {habits.areDatesOpen && (
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
      {matched.includes(CREATED_AT) && (
        <Field name="zone" label="Times without a time zone are">
          <Select
            className="w-full sm:w-72"
            value={ways.zone ?? ''}
            onChange={({ target }) => onWays({ ...ways, zone: target.value || null })}
          >
            <option value="">Mine ({Intl.DateTimeFormat().resolvedOptions().timeZone})</option>
            <option value={UTC}>UTC</option>
            {table.zone !== null && table.zone !== UTC && (
              <option value={table.zone}>{table.zone}, as the file says</option>
            )}
          </Select>
        </Field>
      )}
      <DialogActions>
        <Button onClick={onBack}>Another file</Button>
        <Button type="submit" look="primary" disabledReason={missing}>
          Check
        </Button>
      </DialogActions>
    </form>
  );
}

function TargetOptions({ targets }: { targets: Target[] }) {
  const about = targets.filter(({ property }) => property === null);
  const whole = targets.filter(({ property, part }) => property !== null && part === null);
  const parts = Map.groupBy(
    targets.filter(({ part }) => part !== null),
    ({ property }) => property,
  );
  const optionOf = ({ key, label }: Target) => (
    <option key={key} value={key}>
      {label}
    </option>
  );
  return (
    <>
      <option value={NOTHING}>Not imported</option>
      <optgroup label="About the response">{about.map(optionOf)}</optgroup>
      <optgroup label="Questions">{whole.map(optionOf)}</optgroup>
      {[...parts].map(([property, some]) => (
        <optgroup key={property?.id} label={`Parts of ${property?.name}`}>
          {some.map(optionOf)}
        </optgroup>
      ))}
    </>
  );
}

function examplesOf({ columns, rows }: SourceTable): string[] {
  return columns.map((_, index) => {
    const cells = rows.slice(0, LOOKED_AT).map(({ cells }) => withoutGuard(cells[index] ?? '').trim());
    return [...new Set(cells.filter((cell) => cell !== ''))].slice(0, EXAMPLES).join(' · ');
  });
}
