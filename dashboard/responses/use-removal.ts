import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { showToast } from '../ui/toasts.tsx';
import { useTakeOut } from './apart/trash.ts';
import { inBatches } from './batches.ts';
import { fetchPage, type MeantResponses, putIntoLists, responsesKey } from './queries.ts';

interface RemovalOrder {
  what: MeantResponses;
  count: number;
  /** Whether there are more than `count`. */
  isCapped: boolean;
}

/** Whether responses go to the trash or are deleted. */
type RemovalKind = 'trash' | 'delete';

export interface Removal {
  /** The progress; null while nothing is running. */
  progress: { done: number; order: RemovalOrder } | null;
  start(order: RemovalOrder): void;
  stop(): void;
}

const KINDS = {
  trash: { path: '/open/forms/{form}/submissions/trash', is: 'is in the trash', are: 'are in the trash' },
  delete: { path: '/open/forms/{form}/submissions/multi', is: 'was deleted', are: 'were deleted' },
} as const;

/**
 * Moves many responses to the trash or deletes them, call by call, whatever the table shows meanwhile. Ends when the screen is
 * left.
 * @param onGone called with the ids of every call
 */
export function useRemoval(formId: string, kind: RemovalKind, onGone: (ids: number[]) => void): Removal {
  const client = useQueryClient();
  const takeOut = useTakeOut(formId);
  const { path, is, are } = KINDS[kind];
  const [progress, setProgress] = useState<Removal['progress']>(null);
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  const removeAll = async (order: RemovalOrder, gone: number[]) => {
    const { what } = order;
    for await (const ids of 'newest' in what ? everything(formId, what) : inBatches(what)) {
      if (isStopped.current) return;
      await api.post(path, { path: { form: formId }, body: { submissionIds: ids } });
      gone.push(...ids);
      setProgress({ done: gone.length, order });
      putIntoLists(client, formId, new Set(ids), null);
      onGone(ids);
    }
  };
  const start = async (order: RemovalOrder) => {
    isStopped.current = false;
    setProgress({ done: 0, order });
    const gone: number[] = [];
    const undo = kind === 'trash' ? { undo: () => takeOut(gone) } : {};
    const part = () => `${formatNumber(gone.length)} of ${amountOf(order)} ${are}.`;
    try {
      await removeAll(order, gone);
      const text = isStopped.current
        ? `Stopped: ${part()}`
        : `${formatCount(gone.length, `response ${is}`, `responses ${are}`)}.`;
      showToast({ text, ...(gone.length > 0 && undo) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      showToast({ text: `${part()} ${reason}`, tone: 'bad', ...(gone.length > 0 && undo) });
    }
    setProgress(null);
    await client.invalidateQueries({ queryKey: responsesKey(formId) });
    void client.invalidateQueries({ queryKey: ['forms', formId], exact: true });
  };
  return {
    progress,
    start: (order) => void start(order),
    stop() {
      isStopped.current = true;
    },
  };
}

/** `250`, `more than 10,000`. */
export function amountOf({ count, isCapped }: Pick<RemovalOrder, 'count' | 'isCapped'>): string {
  return isCapped ? `more than ${formatNumber(count)}` : formatNumber(count);
}

/** By the time the next batch is requested, the previous one is gone. */
async function* everything(
  form: string,
  { filter, newest }: Exclude<MeantResponses, readonly number[]>,
): AsyncGenerator<number[]> {
  while (true) {
    const { rows } = await fetchPage(form, filter, { before: newest + 1 });
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
  }
}
