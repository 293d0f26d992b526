import { useCallback } from 'react';
import { showToast } from '../../ui/toasts.tsx';
import type { Builder } from '../builder-context.ts';
import { focusName } from './block-actions.ts';
import { openOptions } from './block-settings.tsx';
import { type Kind, newBlock } from './kinds.ts';

export interface Adding {
  addAt(kind: Kind, at: number): void;
  /** Adds it below the selected block, or at the end. */
  addNext(kind: Kind): void;
}

/**
 * Adds blocks, ready to be named.
 * @param onAdded stable, like the functions returned
 */
export function useAdding(
  { edit, blocks, announce, refusal, mayAddCode }: Builder,
  selected: string | null,
  onAdded: () => void,
): Adding {
  const addAt = useCallback(
    (kind: Kind, at: number) => {
      if (refusal) return;
      if (kind.type === 'nf-code' && !mayAddCode)
        return showToast({ text: 'Only admins of the workspace can add code.', tone: 'bad' });
      const block = newBlock(kind);
      openOptions();
      edit({ do: 'add', blocks: [block], at });
      announce(`${kind.label} was added.`);
      onAdded();
      focusName(block.id);
    },
    [edit, announce, refusal, mayAddCode, onAdded],
  );
  const addNext = useCallback(
    (kind: Kind) => {
      const all = blocks();
      const at = all.findIndex(({ id }) => id === selected);
      addAt(kind, at < 0 ? all.length : at + 1);
    },
    [addAt, blocks, selected],
  );
  return { addAt, addNext };
}
