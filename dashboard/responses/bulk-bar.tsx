import { useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Progress } from '../ui/progress.tsx';
import type { ResponsesSearch } from './search.ts';
import { amountOf, type Removal } from './use-removal.ts';
import type { Selection } from './use-selection.ts';

interface BulkBarProps {
  filter: ResponsesSearch;
  selection: Selection;
  /** How many fit the filter. */
  total: number;
  /** There are more. */
  isCapped: boolean;
  /** Id of the newest shown: what came later is not meant. */
  newest: number;
  removal: Removal;
  onExport(): void;
}

/** What can be done with the ticked responses. */
export function BulkBar({ filter, selection, total, isCapped, newest, removal, onExport }: BulkBarProps) {
  const refusal = useRefusal('user');
  // With another tick it is other responses that are meant.
  const [allBeside, setAllBeside] = useState<Selection['ids'] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const isAll = allBeside === selection.ids;
  const size = isAll ? { count: total, isCapped } : { count: selection.ids.size, isCapped: false };
  const amount = amountOf(size);

  const remove = () => {
    setAsking(false);
    removal.start({ what: isAll ? { filter, newest } : [...selection.ids], ...size });
    selection.clear();
  };

  return (
    <>
      <p className="font-medium first-letter:uppercase" aria-live="polite">
        {amount} selected
      </p>
      {!isAll && selection.ids.size < total && (
        <Button size="sm" look="quiet" onClick={() => setAllBeside(selection.ids)}>
          Select all {formatNumber(total)}
          {isCapped && '+'}
        </Button>
      )}
      <Button size="sm" look="quiet" onClick={() => selection.clear()}>
        Clear
      </Button>
      {!isAll && (
        <Button size="sm" onClick={onExport}>
          Export
        </Button>
      )}
      <Button size="sm" look="danger" disabledReason={refusal} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${amount} ${amount === '1' ? 'response' : 'responses'}?`}
        action="Delete"
        onConfirm={remove}
        typed={size.isCapped ? `more than ${size.count}` : String(size.count)}
      >
        {size.isCapped && <p>All that fit the filter are deleted, not only those that were counted.</p>}
        <p>The answers and their files are deleted for everybody. This cannot be taken back.</p>
      </ConfirmDialog>
    </>
  );
}

/** How far the deletion is, and its end. */
export function RemovalBar({ progress, stop }: Pick<Removal, 'stop'> & { progress: Progressing }) {
  const { done, order } = progress;
  return (
    <div className="flex flex-1 items-center gap-3">
      <p className="shrink-0 text-muted tabular-nums" aria-live="polite">
        Deleting {formatNumber(done)} of {amountOf(order)}
      </p>
      <div className="max-w-64 flex-1">
        <Progress label="Responses deleted" value={order.isCapped ? null : done / Math.max(order.count, 1)} />
      </div>
      <Button size="sm" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}

type Progressing = NonNullable<Removal['progress']>;
