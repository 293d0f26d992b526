import { useMemo } from 'react';
import { withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Select } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import type { Habits } from './habits.ts';
import type { Ways } from './read-rows.ts';
import type { SourceTable } from './read-table.ts';
import { ReadingFields } from './reading-fields.tsx';
import { CREATED_AT, NOTHING, type Target, withMatch } from './targets.ts';
import { WaysFields } from './ways-fields.tsx';

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

/** Most different answers shown for a column, and most rows searched for them. */
const EXAMPLES = 3;
const LOOKED_AT = 200;

/** Assigns columns to questions. */
export function ColumnsStep(props: ColumnsStepProps) {
  const { table, matched, onRead, habits, ways, onWays, onBack, onCheck } = props;
  const count = matched.filter((key) => key !== NOTHING).length;
  const missing = missingIn(props);
  const zone = matched.includes(CREATED_AT) ? { ofFile: table.zone } : null;
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
      <MatchedColumns {...props} />
      <WaysFields habits={habits} zone={zone} ways={ways} onWays={onWays} />
      <DialogActions>
        <Button onClick={onBack}>Another file</Button>
        <Button type="submit" look="primary" disabledReason={missing}>
          Check
        </Button>
      </DialogActions>
    </form>
  );
}

/** What has to be said before the import can be checked; null if nothing. */
function missingIn({ targets, matched, habits: { openNumber }, ways }: ColumnsStepProps): string | null {
  const hasAnswers = matched.some((key) => targets.find((target) => target.key === key)?.property);
  if (!hasAnswers) return 'Say of at least one column which question it answers';
  const isOpen = openNumber !== null && ways.decimalSign === undefined;
  return isOpen ? `Say what ${openNumber} means` : null;
}

/** The columns of the file with some of their answers, and what each is in the form. */
function MatchedColumns({ table, targets, matched, onMatch }: ColumnsStepProps) {
  const examples = useMemo(() => examplesOf(table), [table]);
  const options = useMemo(() => <TargetOptions targets={targets} />, [targets]);
  return (
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
