import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Progress } from '../ui/progress.tsx';
import { showToast } from '../ui/toasts.tsx';
import { fetchPage, putIntoLists, responsesKey } from './queries.ts';
import type { ResponsesSearch } from './search.ts';
import type { Selection } from './use-selection.ts';

/** Responses per call; each call is all or nothing. */
const PER_CALL = 100;

interface BulkBarProps {
  formId: string;
  filter: ResponsesSearch;
  selection: Selection;
  /** How many fit the filter. */
  total: number;
  /** There are more. */
  isCapped: boolean;
  /** Id of the newest shown: what came later is not meant. */
  newest: number;
  onExport(): void;
}

/** What can be done with the ticked responses. */
export function BulkBar({ formId, filter, selection, total, isCapped, newest, onExport }: BulkBarProps) {
  const refusal = useRefusal('user');
  const client = useQueryClient();
  const [isAll, setAll] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const isStopped = useRef(false);
  const count = isAll ? total : selection.ids.size;

  const remove = async () => {
    isStopped.current = false;
    setAsking(false);
    setDone(0);
    let removed = 0;
    try {
      const batches = isAll ? everything(formId, filter, newest) : inBatches([...selection.ids]);
      for await (const submissionIds of batches) {
        if (isStopped.current) break;
        await api.post('/open/forms/{form}/submissions/multi', {
          path: { form: formId },
          body: { submissionIds },
        });
        removed += submissionIds.length;
        setDone(removed);
        putIntoLists(client, formId, new Set(submissionIds), null);
      }
      showToast({ text: `${formatCount(removed, 'response was', 'responses were')} deleted.` });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      showToast({
        text: `${formatNumber(removed)} of ${formatNumber(count)} were deleted. ${reason}`,
        tone: 'bad',
      });
    }
    setDone(null);
    selection.clear();
    await client.invalidateQueries({ queryKey: responsesKey(formId) });
    void client.invalidateQueries({ queryKey: ['forms', formId], exact: true });
  };

  if (done !== null)
    return (
      <div className="flex flex-1 items-center gap-3">
        <p className="shrink-0 text-muted tabular-nums" aria-live="polite">
          Deleting {formatNumber(done)} of {formatNumber(count)}
        </p>
        <div className="max-w-64 flex-1">
          <Progress label="Responses deleted" value={done / Math.max(count, 1)} />
        </div>
        <Button
          size="sm"
          onClick={() => {
            isStopped.current = true;
          }}
        >
          Stop
        </Button>
      </div>
    );
  return (
    <>
      <p className="font-medium" aria-live="polite">
        {formatNumber(count)} selected
      </p>
      {!isAll && selection.ids.size < total && (
        <Button size="sm" look="quiet" onClick={() => setAll(true)}>
          Select all {formatNumber(total)}
          {isCapped && '+'}
        </Button>
      )}
      <Button
        size="sm"
        look="quiet"
        onClick={() => {
          setAll(false);
          selection.clear();
        }}
      >
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
        title={`Delete ${formatCount(count, 'response')}?`}
        action="Delete"
        onConfirm={() => void remove()}
        typed={String(count)}
      >
        <p>The answers and their files are deleted for everybody. This cannot be taken back.</p>
      </ConfirmDialog>
    </>
  );
}

async function* inBatches(ids: number[]): AsyncGenerator<number[]> {
  for (let start = 0; start < ids.length; start += PER_CALL) yield ids.slice(start, start + PER_CALL);
}

/** What fits and is not newer than what was seen. What was yielded has been deleted when the next is asked for. */
async function* everything(form: string, filter: ResponsesSearch, newest: number): AsyncGenerator<number[]> {
  while (true) {
    const { rows } = await fetchPage(form, filter, { before: newest + 1 });
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
  }
}
