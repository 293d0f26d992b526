import { useEffect, useState } from 'react';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useRemoval } from '../responses/use-removal.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Progress } from '../ui/progress.tsx';
import { Notice } from '../ui/states.tsx';
import { StopButton } from '../ui/stop-button.tsx';
import type { SourceTable } from './read-table.ts';
import { RefusedRows } from './refused-rows.tsx';
import type { Findings, Imported } from './use-import.ts';

interface CheckedStepProps {
  table: SourceTable;
  /** Number of unfinished responses, which are left out. */
  unfinished: number;
  findings: Findings;
  onBack(): void;
  onImport(): void;
}

/** Shows what fits and what does not, before anything is stored. */
export function CheckedStep({ table, unfinished, findings, onBack, onImport }: CheckedStepProps) {
  const { fitting, alreadyThere, refused } = findings;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-1" aria-live="polite">
        <p className="font-medium">{formatCount(fitting.length, 'response')} can be imported.</p>
        <Beside alreadyThere={alreadyThere} refused={refused.length} />
        {unfinished > 0 && (
          <p className="text-muted">
            {formatCount(unfinished, 'unfinished response is', 'unfinished responses are')} left out.
          </p>
        )}
      </div>
      <RefusedRows table={table} refused={refused} />
      <DialogActions>
        <Button onClick={onBack}>Back to the columns</Button>
        <Button
          look="primary"
          onClick={onImport}
          disabledReason={fitting.length === 0 ? 'There is nothing to import' : null}
        >
          Import {formatCount(fitting.length, 'response')}
        </Button>
      </DialogActions>
    </div>
  );
}

interface ImportedStepProps {
  formId: number;
  table: SourceTable;
  findings: Findings;
  imported: Imported;
  /** Why it ended early. */
  problem: string | null;
  onRest(): void;
  /** Called with what can be stopped; null while nothing is running. */
  onWork(work: { stop(): void } | null): void;
  onClose(): void;
}

/** Shows what was stored, with an undo. */
export function ImportedStep({
  formId,
  table,
  findings,
  imported,
  problem,
  onRest,
  onWork,
  onClose,
}: ImportedStepProps) {
  const [gone, setGone] = useState(0);
  const removal = useRemoval(String(formId), 'delete', (ids) => setGone((former) => former + ids.length));
  const isDeleting = removal.progress !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: to stop is the same at any time
  useEffect(() => onWork(isDeleting ? removal : null), [isDeleting, onWork]);
  const { stored, ids, left } = imported;
  const rest = ids.slice(gone);
  if (removal.progress) {
    const { done, order } = removal.progress;
    return (
      <div className="grid gap-3">
        <p className="text-muted tabular-nums">
          Deleting {formatNumber(done)} of {formatNumber(order.count)}
        </p>
        <Progress label="Responses deleted" value={done / order.count} />
        <DialogActions>
          <StopButton onStop={removal.stop} />
        </DialogActions>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div className="grid gap-1" aria-live="polite">
        <p className="font-medium">
          {formatCount(stored, 'response was', 'responses were')} imported
          {gone > 0 && `, ${formatNumber(gone)} of them taken back`}.
        </p>
        {left.length > 0 && (
          <p>{formatCount(left.length, 'response is', 'responses are')} still to be imported.</p>
        )}
        <Beside alreadyThere={findings.alreadyThere} refused={findings.refused.length} />
      </div>
      <RefusedRows table={table} refused={findings.refused} />
      <DialogActions>
        {rest.length > 0 && (
          <Button onClick={() => removal.start({ what: rest, count: rest.length, isCapped: false })}>
            Undo: delete {formatCount(rest.length, 'response')}
          </Button>
        )}
        {left.length > 0 && gone === 0 && <Button onClick={onRest}>Import the rest</Button>}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}

function Beside({ alreadyThere, refused }: { alreadyThere: number; refused: number }) {
  return (
    <>
      {alreadyThere > 0 && (
        <p className="text-muted">
          {formatCount(
            alreadyThere,
            'response is there already and stays as it is',
            'responses are there already and stay as they are',
          )}
          .
        </p>
      )}
      {refused > 0 && <p>{formatCount(refused, 'row does', 'rows do')} not fit the form.</p>}
    </>
  );
}
