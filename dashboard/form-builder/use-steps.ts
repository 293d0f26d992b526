import { useHotkeys } from '../lib/use-hotkeys.ts';
import type { Builder } from './builder-context.ts';
import type { BuilderState } from './edits.ts';

export interface Steps {
  canUndo: boolean;
  canRedo: boolean;
  undo(): void;
  redo(): void;
}

/** Undo and redo, also by keyboard; in a dialog the keys belong to its inputs, not to the form behind it. */
export function useSteps({ past, future }: BuilderState, { edit, announce, refusal }: Builder): Steps {
  const canUndo = past.length > 0;
  const canRedo = future.length > 0;
  const undo = () => {
    if (refusal !== null || !canUndo) return;
    edit({ do: 'undo' });
    announce('Undone.');
  };
  const redo = () => {
    if (refusal !== null || !canRedo) return;
    edit({ do: 'redo' });
    announce('Redone.');
  };
  useHotkeys(
    { 'mod+z': undo, 'mod+shift+z': redo, 'mod+y': redo, escape: () => edit({ do: 'select', id: null }) },
    { isBehind: true },
  );
  return { canUndo, canRedo, undo, redo };
}
