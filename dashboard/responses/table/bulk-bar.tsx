import { useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Progress } from '../../ui/progress.tsx';
import { StopButton } from '../../ui/stop-button.tsx';
import type { Scope } from '../exports/export-scope.tsx';
import { MAX_PRINTED } from '../print-search.ts';
import { ReviewMany } from '../reviews/review-many.tsx';
import type { ResponsesSearch } from '../search.ts';
import { amountOf, type Removal } from '../use-removal.ts';
import type { Selection } from './use-selection.ts';

interface BulkBarProps {
  formId: string;
  filter: ResponsesSearch;
  selection: Selection;
  /** Number of responses that match the filter. */
  total: number;
  /** Whether there are more than `total`. */
  isCapped: boolean;
  /** Id of the newest shown response; actions exclude later ones. */
  newest: number;
  removal: Removal;
  onExport(scope: Scope): void;
}

/** Actions on the selected responses. */
export function BulkBar({
  formId,
  filter,
  selection,
  total,
  isCapped,
  newest,
  removal,
  onExport,
}: BulkBarProps) {
  const refusal = useRefusal('user');
  // The selection with which "all" was chosen; changing the selection ends it.
  const [allBeside, setAllBeside] = useState<Selection['ids'] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const isAll = allBeside === selection.ids;
  const size = isAll ? { count: total, isCapped } : { count: selection.ids.size, isCapped: false };
  const amount = amountOf(size);
  const what = isAll ? { filter, newest } : [...selection.ids];

  const remove = () => {
    setAsking(false);
    removal.start({ what, ...size });
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
      <ReviewMany
        formId={formId}
        what={what}
        reason={size.isCapped ? `Up to ${formatNumber(size.count)} at a time` : null}
        onDecided={(ids, state) => {
          // What "all" meant does not match the filter any more.
          if (isAll && filter.review && filter.review !== state) selection.drop(ids);
        }}
      />
      <Button size="sm" onClick={() => onExport(isAll ? 'shown' : 'chosen')}>
        Export
      </Button>
      {!isAll && <PrintLink formId={formId} ids={[...selection.ids]} />}
      <Button size="sm" disabledReason={refusal} onClick={() => (isAll ? setAsking(true) : remove())}>
        Move to trash
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Move ${amount} responses to the trash?`}
        action="Move to trash"
        onConfirm={remove}
      >
        {size.isCapped && <p>All that match the filter are meant, not only those that were counted.</p>}
        <p>There they can be restored for 30 days.</p>
      </ConfirmDialog>
    </>
  );
}

function PrintLink({ formId, ids }: { formId: string; ids: number[] }) {
  const { id: workspaceId } = useWorkspace();
  if (ids.length > MAX_PRINTED)
    return (
      <Button size="sm" disabledReason={`Up to ${MAX_PRINTED} at a time`}>
        Print
      </Button>
    );
  return (
    <a
      href={`/workspaces/${workspaceId}/forms/${formId}/print?ids=${ids.join(',')}`}
      target="_blank"
      rel="noreferrer"
      aria-label="Print, in a new tab"
      className={buttonClasses('plain', 'sm')}
    >
      Print
    </a>
  );
}

/** The progress of moving or deleting, with a button to stop. */
export function RemovalBar({ progress, stop }: Pick<Removal, 'stop'> & { progress: Progressing }) {
  const { done, order } = progress;
  return (
    <div className="flex flex-1 items-center gap-3">
      <p className="shrink-0 text-muted tabular-nums" aria-live="polite">
        Moving {formatNumber(done)} of {amountOf(order)}
      </p>
      <div className="max-w-64 flex-1">
        <Progress label="Responses moved" value={order.isCapped ? null : done / Math.max(order.count, 1)} />
      </div>
      <StopButton size="sm" onStop={stop} />
    </div>
  );
}

type Progressing = NonNullable<Removal['progress']>;
