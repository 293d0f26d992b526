import { useEffect, useMemo, useState } from 'react';
import type { Form } from '../api/queries.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useLeaving } from '../shell/use-leaving.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Progress } from '../ui/progress.tsx';
import { Notice } from '../ui/states.tsx';
import { StopButton } from '../ui/stop-button.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { habitsOf } from './habits.ts';
import { matchColumns } from './match-columns.ts';
import { CheckedStep, ImportedStep } from './outcome-steps.tsx';
import { compileRows, finishedRows, inOrderOfTime, UTC, type Ways } from './read-rows.ts';
import type { SourceTable } from './read-table.ts';
import { CREATED_AT, isOfOdk, targetsOf } from './targets.ts';
import { type Run, useImport } from './use-import.ts';

interface ImportFormProps {
  form: Form;
  onClose(): void;
  /** Called with what can be stopped; null while nothing is running. */
  onWork(work: { stop(): void } | null): void;
}

/** Whether the browser's language writes the day before the month. */
const WRITES_DAY_FIRST = (() => {
  const parts = new Intl.DateTimeFormat().formatToParts().map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month');
})();

/** Zone of times without an offset: UTC in columns that say so, from Kobo, and in Excel files of Formstead, whatever saved them since. */
function zoneOf({ columns, zone }: SourceTable): string | null {
  const isUtc =
    columns.some((name) => /\butc\b/i.test(name)) || columns.includes(CREATED_AT) || isOfOdk(columns);
  return zone ?? (isUtc ? UTC : null);
}

/** The steps of an import: choose a file, match its columns, check, import. */
export function ImportForm({ form, onClose, onWork }: ImportFormProps) {
  const [table, setTable] = useState<SourceTable | null>(null);
  const [matched, setMatched] = useState<string[]>([]);
  const [ways, setWays] = useState<Ways>({ dayFirst: WRITES_DAY_FIRST, zone: null });
  const targets = useMemo(() => (table ? targetsOf(form, table) : []), [form, table]);
  const { run, findings, imported, check, store, stop, goOn, reset } = useImport(form.id);
  const habits = useMemo(() => (table ? habitsOf(table, matched, targets) : null), [table, matched, targets]);
  const finished = useMemo(() => (table ? finishedRows(table, matched) : []), [table, matched]);
  const isBusy = run.step === 'checking' || run.step === 'importing';
  // If the session ends meanwhile, the import waits for the user to sign in again.
  const { question } = useLeaving(
    isBusy,
    'What was imported so far stays. The same file can be imported again: nothing is stored twice.',
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: to stop is the same at any time
  useEffect(() => onWork(isBusy ? { stop } : null), [isBusy, onWork]);

  const reader = (): Ways => ({ ...ways, ...(habits && { habits }) });

  const take = (taken: SourceTable) => {
    setTable(taken);
    setMatched(matchColumns(taken, targetsOf(form, taken), form));
    setWays((now) => ({ ...now, zone: zoneOf(taken), decimalSign: undefined }));
  };

  if (!table || !habits) return <FileStep onRead={take} onClose={onClose} />;
  const read = () => compileRows(matched, targets, reader());
  if (isBusy)
    return (
      <>
        <Underway run={run} onStop={stop} onGoOn={goOn} />
        {question}
      </>
    );
  if (run.step === 'checked')
    return (
      <CheckedStep
        table={table}
        unfinished={table.rows.length - finished.length}
        findings={findings}
        onBack={reset}
        onImport={() => store(inOrderOfTime(findings.fitting, matched, reader()), read())}
      />
    );
  if (run.step === 'imported')
    return (
      <ImportedStep
        formId={form.id}
        table={table}
        findings={findings}
        imported={imported}
        problem={run.problem}
        onRest={() => store(imported.left, read())}
        onWork={onWork}
        onClose={onClose}
      />
    );
  return (
    <>
      {run.step === 'idle' && run.problem && <Notice tone="bad">{run.problem}</Notice>}
      <ColumnsStep
        table={table}
        targets={targets}
        matched={matched}
        onMatch={setMatched}
        onRead={take}
        habits={habits}
        ways={ways}
        onWays={setWays}
        onBack={() => setTable(null)}
        onCheck={() => check(finished, read())}
      />
    </>
  );
}

interface UnderwayProps {
  run: Extract<Run, { done: number }>;
  onStop(): void;
  onGoOn(): void;
}

function Underway({ run: { step, done, total, trouble }, onStop, onGoOn }: UnderwayProps) {
  const isCheck = step === 'checking';
  return (
    <div className="grid gap-3">
      <p className="text-muted tabular-nums">
        {isCheck ? 'Checking' : 'Importing'} {formatCount(total, 'response')}: {formatNumber(done)} done
      </p>
      <Progress label={isCheck ? 'Checked' : 'Imported'} value={done / Math.max(total, 1)} />
      {trouble && <Notice tone="warn">{trouble} It goes on from here.</Notice>}
      <p className="text-[0.8125rem] text-muted">
        {isCheck
          ? 'Nothing is stored yet.'
          : 'Keep this window open. What is stopped can go on later: nothing is stored twice.'}
      </p>
      <DialogActions>
        {trouble && <Button onClick={onGoOn}>Go on now</Button>}
        <StopButton onStop={onStop} />
      </DialogActions>
    </div>
  );
}
